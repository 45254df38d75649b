import { Button } from "@mantine/core";
import type { Event as LeadEvent } from "../../../../src/contract/timeline/event.ts";
import { useMerge } from "../../duplicates/use-merge.ts";
import { LongText } from "../../parts/long-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { ValueChange } from "../values/value-change.tsx";
import styles from "./activity.module.css";
import { ACTIVITY_WORDS } from "./activity-words.ts";

/** The content of an event below its title: a note's text, values before and after, or other data. */
export function EventBody({ event, named = false }: { event: LeadEvent; named?: boolean }) {
  const { fields } = useLeadHere();
  const words = useWords(ACTIVITY_WORDS);
  const { type, data } = event;
  if (type === "lead.updated" && typeof data.field === "string")
    return (
      <div className={styles.body}>
        {named && (
          <span className={styles.field}>
            <bdi>{fields.get(data.field)?.label ?? data.field}</bdi>
          </span>
        )}
        <ValueChange field={data.field} from={data.from} to={data.to} />
        {typeof data.reason === "string" && (
          <div>
            {words.reason}: <LongText text={data.reason} />
          </div>
        )}
      </div>
    );
  if (type === "note.added" && typeof data.text === "string")
    return (
      <div className={styles.note}>
        <LongText text={data.text} />
      </div>
    );
  if (type === "lead.merged" && typeof data.merge_id === "string") return <UndoMerge id={data.merge_id} />;
  if (type.startsWith("lead.") || type.startsWith("task.")) return null;
  return <Details data={data} />;
}

function UndoMerge({ id }: { id: string }) {
  const { changes, mayWrite } = useLeadHere();
  const words = useWords(ACTIVITY_WORDS);
  const { undo } = useMerge();
  const undone =
    changes?.some(({ type, data }) => type === "lead.unmerged" && data.merge_id === id) !== false;
  if (undone || !mayWrite) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      my={4}
      loading={undo.isPending}
      onClick={() => undo.mutate(id)}
    >
      {words.undoMerge}
    </Button>
  );
}

/** Data from an outside system, key by key. */
function Details({ data }: { data: Readonly<Record<string, unknown>> }) {
  const words = useWords(ACTIVITY_WORDS);
  const entries = Object.entries(data);
  if (entries.length === 0) return null;
  return (
    <details className={styles.details}>
      <summary>{words.details}</summary>
      <dl>
        {entries.map(([key, value]) => (
          <div key={key}>
            <dt>
              <bdi>{key}</bdi>
            </dt>
            <dd>
              <LongText text={typeof value === "string" ? value : JSON.stringify(value)} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
