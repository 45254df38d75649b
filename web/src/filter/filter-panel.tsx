import { Text } from "@mantine/core";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { Fault } from "../../../src/contract/basics/problem.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./filter.module.css";
import { FilterMeaning } from "./filter-meaning.tsx";
import { addPart, changePart } from "./model/change-filter.ts";
import type { AnyFilter } from "./model/filter.ts";
import type { Group } from "./model/part.ts";
import { readFilter } from "./model/read-filter.ts";
import { writeFilter } from "./model/write-filter.ts";
import { type Editing, EditingContext } from "./rows/editing.ts";
import { FilterGroup } from "./rows/filter-group.tsx";
import { FilterPart } from "./rows/filter-part.tsx";
import { useFilterCheck } from "./rows/use-filter-check.ts";
import { PANEL_WORDS } from "./words/panel-words.ts";

const LEADS = { of: "leads" } as const;

/** Edits a filter: its groups and conditions, its meaning as a sentence, and the number of matching leads. */
export function FilterPanel(panel: {
  value: AnyFilter | undefined;
  onChange(filter: AnyFilter | undefined): void;
  /** The search words, so that the count is that of the list. */
  search?: string;
  /** Whether deleted leads are filtered and counted. */
  deleted?: boolean;
  /** The key of the dataset whose rows are filtered; leads by default. */
  dataset?: string;
  /** Shown next to the count, such as a button that closes the panel. */
  foot?: ReactNode;
}) {
  const words = useWords(PANEL_WORDS);
  const [root, edit] = useEdited(panel.value, panel.onChange);
  const { filter, places } = useMemo(() => writeFilter(root), [root]);
  const { dataset } = panel;
  const check = useFilterCheck(filter, panel.search ?? "", dataset, panel.deleted);
  const [faults, others] = useMemo(() => placed(check.faults ?? [], places), [check.faults, places]);
  const editing = useMemo<Editing>(
    () => ({
      change: (id, to) => edit((present) => changePart(present, id, to)),
      add: (id, part) => edit((present) => addPart(present, id, part)),
      faultsOf: (id) => faults.get(id) ?? [],
      Part: FilterPart,
    }),
    [edit, faults],
  );
  return (
    <EditingContext value={editing}>
      <div className={styles.panel}>
        {root.parts.length === 0 && (
          <Text c="dimmed" size="sm" mb="xs">
            {dataset === undefined ? words.nothing : words.nothingRows}
          </Text>
        )}
        <FilterGroup part={root} scope={dataset === undefined ? LEADS : { of: "rows", dataset }} depth={0} />
      </div>
      <FilterMeaning
        check={check}
        others={others}
        everybody={filter === undefined}
        ofRows={dataset !== undefined}
      >
        {panel.foot}
      </FilterMeaning>
    </EditingContext>
  );
}

type Edit = (to: (root: Group) => Group) => void;

/** The filter while it is edited: reported on every change, and read again if it was changed elsewhere. */
function useEdited(
  value: AnyFilter | undefined,
  onChange: (filter: AnyFilter | undefined) => void,
): [Group, Edit] {
  const [root, setRoot] = useState(() => readFilter(value));
  const present = useRef(root);
  const told = useRef(JSON.stringify(value));
  const tell = useRef(onChange);
  tell.current = onChange;
  const given = JSON.stringify(value);
  useEffect(() => {
    if (given === told.current) return;
    told.current = given;
    present.current = readFilter(given === undefined ? undefined : JSON.parse(given));
    setRoot(present.current);
  }, [given]);
  const edit = useRef<Edit>((to) => {
    present.current = to(present.current);
    setRoot(present.current);
    const { filter } = writeFilter(present.current);
    const text = JSON.stringify(filter);
    if (text === told.current) return;
    told.current = text;
    tell.current(filter);
  });
  return [root, edit.current];
}

/** Assigns each error to the innermost part that contains its path; the rest belong to no part. */
function placed(
  faults: readonly Fault[],
  places: ReadonlyMap<string, string>,
): [ReadonlyMap<string, Fault[]>, Fault[]] {
  const [at, others]: [Map<string, Fault[]>, Fault[]] = [new Map(), []];
  for (const fault of faults) {
    const holders = [...places].filter(
      ([, path]) =>
        path !== "$.filter" && /^($|[.[])/.test(fault.path.slice(path.length)) && fault.path.startsWith(path),
    );
    const [id] = holders.sort(([, one], [, other]) => other.length - one.length)[0] ?? alone(places);
    if (id === undefined) others.push(fault);
    else at.set(id, [...(at.get(id) ?? []), fault]);
  }
  return [at, others];
}

/** The filter's only part, which has the path of the filter itself. */
const alone = (places: ReadonlyMap<string, string>): [id?: string | undefined] => {
  const ids = [...places].filter(([, path]) => path === "$.filter").map(([id]) => id);
  return ids.length > 1 ? [ids[0]] : [];
};
