import { useCallback } from "react";
import type { Change } from "../../../src/contract/changes/change.ts";
import type { ChangeCount } from "../../../src/contract/lists/changes.ts";
import { useFields, useRead, useViews } from "../api/queries.ts";
import { isolated } from "../changes/use-kept-text.ts";
import { useDatasets } from "../datasets/model/use-datasets.ts";
import { useMay } from "../session/me.ts";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import { COUNT_WORDS } from "./history-words.ts";
import { TITLE_WORDS } from "./title-words.ts";

/** The number of fields that a title names. */
const NAMED = 3;

const LEADS = ["leads_created", "leads_updated", "leads_deleted", "leads_restored", "leads_erased"] as const;
const ROWS = ["rows_created", "rows_updated", "rows_deleted"] as const;

const sumOf = (counts: Change["counts"], names: readonly ChangeCount[]): number =>
  names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

/** Returns a function that tells what a change did in plain words: `Set Status of 1,149 leads`. */
function useTitleOf(): (change: Change, file?: string) => string {
  const words = useWords(TITLE_WORDS);
  const countWords = useWords(COUNT_WORDS);
  const { number, list } = useFormat();
  const { data: fields } = useFields();
  const { data: datasets } = useDatasets();
  const { data: views } = useViews();
  const labelOf = useCallback(
    (name: string) => isolated(fields?.fields.find((field) => field.name === name)?.label ?? name),
    [fields],
  );
  return useCallback(
    ({ kind, about, counts, lead_id: lead, lead_name: name }, file) => {
      const leads = sumOf(counts, LEADS);
      const rows = sumOf(counts, ROWS);
      const events = counts.events_added ?? 0;
      const given = about.fields ?? [];
      const shown = given.slice(0, NAMED).map(labelOf);
      if (given.length > NAMED) shown.push(`+${number(given.length - NAMED)}`);
      const dataset = datasets?.datasets.find(({ id }) => id === about.dataset_id)?.name;
      const view = views?.views.find(({ id }) => id === about.view_id)?.name;
      const counted = [...LEADS, ...ROWS].flatMap((each) => {
        const count = counts[each] ?? 0;
        return count === 0 ? [] : [countWords[each](number(count), count)];
      });
      const ofOne = name === null ? words.aLead : isolated(name);
      const title = words.of[kind]?.({
        leads: lead === null ? words.leads(number(leads), leads) : ofOne,
        fields: shown.length === 0 ? undefined : list(shown),
        file: file === undefined ? undefined : isolated(file),
        dataset: dataset === undefined ? undefined : isolated(dataset),
        view: view === undefined ? undefined : isolated(view),
        field: about.field === undefined ? "" : labelOf(`custom.${about.field}`),
        events: words.events(number(events), events),
        rows: words.rows(number(rows), rows),
        counts: list(counted),
        op: about.op ?? "",
      });
      return title ?? words.other;
    },
    [words, countWords, number, list, labelOf, datasets, views],
  );
}

/** What a change did, in plain words; an undo is named by what it undid. `known` has changes that are loaded already. */
export function useTitle(change: Change, known?: ReadonlyMap<string, Change>): string {
  const words = useWords(TITLE_WORDS);
  const titleOf = useTitleOf();
  const undone = useChange(change.undoes, known);
  const redone = useChange(undone?.undoes ?? null, known);
  const named = redone ?? undone ?? change;
  const file = useFile(named);
  if (change.kind !== "undo" || change.undoes === null) return titleOf(change, file);
  if (undone?.kind !== "undo") return words.undid(undone && titleOf(undone, file));
  return words.redid(redone === undefined || redone.kind === "undo" ? undefined : titleOf(redone, file));
}

/** A change by its id; undefined until it is read, and if there is none. */
function useChange(id: string | null, known: ReadonlyMap<string, Change> | undefined): Change | undefined {
  const here = id === null ? undefined : known?.get(id);
  const { data } = useRead("changes", "/v1/changes/{id}", {
    params: { id: id ?? "" },
    query: { limit: 1 },
    enabled: id !== null && here === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return here ?? (id === null ? undefined : data);
}

/** The name of the imported file; undefined if it is not an import, or the person may not see it. */
function useFile({ about }: Change): string | undefined {
  const may = useMay("leads:write");
  const { import_id: id } = about;
  const { data } = useRead("imports", "/v1/imports/{id}", {
    params: { id: id ?? "" },
    enabled: id !== undefined && may,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.file.name;
}
