import { Badge } from "@mantine/core";
import { Link } from "react-router";
import type { Change } from "../../../src/contract/changes/change.ts";
import { CHANGE_COUNTS } from "../../../src/contract/lists/changes.ts";
import { historyAddress } from "../changes/use-undo.ts";
import lines from "../parts/lines.module.css";
import { useProject } from "../session/me.ts";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./history.module.css";
import { COUNT_WORDS, HISTORY_WORDS } from "./history-words.ts";
import { ByLine } from "./surface-mark.tsx";
import { UndoButton, useMayUndo } from "./undo-state.tsx";
import { useTitle } from "./use-title.ts";

/** A change in the list: what, who, when, how many, and its undo. */
export function ChangeLine({ change, known }: { change: Change; known: ReadonlyMap<string, Change> }) {
  const { id: project } = useProject();
  const words = useWords(HISTORY_WORDS);
  const countWords = useWords(COUNT_WORDS);
  const { number, list } = useFormat();
  const title = useTitle(change, known);
  const mayUndo = useMayUndo();
  const counted = CHANGE_COUNTS.flatMap((name) => {
    const count = change.counts[name] ?? 0;
    return count === 0 ? [] : [countWords[name](number(count), count)];
  });
  // the title has the only one, and those of a file
  const isOfMany = Object.values(change.counts).reduce<number>((sum, count = 0) => sum + count, 0) > 1;
  const isCounted = isOfMany && change.kind !== "import";
  return (
    <li className={lines.line}>
      <div className={lines.what}>
        <Link to={historyAddress(project, change.id)} className={`${lines.name} ${styles.title}`}>
          {title}
        </Link>
        <ByLine change={change} />
      </div>
      <div className={`${lines.counts} ${lines.note}`}>{isCounted && list(counted)}</div>
      <div className={styles.end}>
        {change.state === "running" && <Mark text={words.running} />}
        {change.irreversible === "undone" && <Mark text={words.undone} />}
        {mayUndo(change) && <UndoButton change={change} of={title} />}
      </div>
    </li>
  );
}

const Mark = ({ text }: { text: string }) => (
  <Badge variant="default" tt="none" fw={500} radius="sm">
    {text}
  </Badge>
);
