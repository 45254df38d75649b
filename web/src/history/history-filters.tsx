import { Button, MultiSelect, Select, Switch, TextInput } from "@mantine/core";
import type { Change } from "../../../src/contract/changes/change.ts";
import { CHANGE_KINDS } from "../../../src/contract/lists/changes.ts";
import { useMembers } from "../api/queries.ts";
import { IconX } from "../look/icons.ts";
import { useLead } from "../records/use-lead.ts";
import { useMe } from "../session/me.ts";
import { leadName } from "../words/lead-name.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./history.module.css";
import { HISTORY_WORDS } from "./history-words.ts";
import { KIND_WORDS } from "./title-words.ts";
import type { HistoryAsked } from "./use-history.ts";

/** The filters of the history. Who is offered: oneself, the members, and others among the changes on the screen. */
export function HistoryFilters(filters: {
  asked: HistoryAsked;
  onChange(changed: Partial<HistoryAsked>): void;
  shown: readonly Change[];
}) {
  const { asked, onChange } = filters;
  const words = useWords(HISTORY_WORDS);
  const kinds = useWords(KIND_WORDS);
  const people = usePeople(filters.shown, asked.who);
  return (
    <fieldset className={styles.filters}>
      <legend className="unseen">{words.filters}</legend>
      <Select
        label={words.who}
        placeholder={words.anyone}
        data={people}
        value={asked.who === "" ? null : asked.who}
        onChange={(who) => onChange({ who: who ?? "" })}
        searchable
        clearable
      />
      <MultiSelect
        label={words.kinds}
        {...(asked.kind.length === 0 && { placeholder: words.anything })}
        data={CHANGE_KINDS.map((kind) => ({ value: kind, label: kinds[kind] }))}
        value={[...asked.kind]}
        onChange={(kind) => onChange({ kind })}
        searchable
        clearable
      />
      <TextInput
        type="date"
        label={words.from}
        value={asked.from}
        max={asked.to}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={words.to}
        value={asked.to}
        min={asked.from}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
      />
      <Switch
        label={words.undoable}
        checked={asked.undo === "yes"}
        onChange={({ currentTarget }) => onChange({ undo: currentTarget.checked ? "yes" : "" })}
        className={styles.undoable ?? ""}
      />
      {asked.lead !== "" && (
        <OfLead key={asked.lead} id={asked.lead} onClear={() => onChange({ lead: "" })} />
      )}
    </fieldset>
  );
}

/** The lead whose changes are shown. */
function OfLead({ id, onClear }: { id: string; onClear(): void }) {
  const words = useWords(HISTORY_WORDS);
  const { data } = useLead(id);
  const name = data !== undefined && "lead" in data ? leadName(data.lead) : "";
  return (
    <Button
      variant="light"
      size="sm"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={words.anyLead}
      onClick={onClear}
      className={styles.ofLead ?? ""}
    >
      <span className={styles.cut}>
        {words.ofLead} <bdi>{name || words.thisLead}</bdi>
      </span>
    </Button>
  );
}

function usePeople(shown: readonly Change[], chosen: string): { value: string; label: string }[] {
  const words = useWords(HISTORY_WORDS);
  const { person } = useMe();
  const { data } = useMembers();
  const others = new Map<string, string>();
  for (const { id, name } of data?.members ?? []) if (id !== person.id) others.set(id, name);
  for (const { actor } of shown)
    if (actor.id !== null && actor.id !== person.id && !others.has(actor.id))
      others.set(actor.id, actor.label);
  if (chosen !== "" && chosen !== "me" && !others.has(chosen)) others.set(chosen, chosen);
  return [{ value: "me", label: words.me }, ...[...others].map(([value, label]) => ({ value, label }))];
}
