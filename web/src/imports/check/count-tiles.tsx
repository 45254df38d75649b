import { Paper, Text } from "@mantine/core";
import { type ImportCounts, ROW_OUTCOMES } from "../../../../src/contract/lists/outcomes.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { COUNT_NAMES } from "../record/report-words.ts";
import styles from "./check.module.css";
import { CHECK_WORDS } from "./check-words.ts";

/** The five counts of an import's rows, their sum, and how many opt out. */
export function CountTiles({ counts }: { counts: ImportCounts }) {
  const names = useWords(COUNT_NAMES);
  const words = useWords(CHECK_WORDS);
  const { number } = useFormat();
  return (
    <Paper p="md">
      <dl className={styles.tiles}>
        {ROW_OUTCOMES.map((name) => (
          <div key={name} className={styles.tile} data-some={counts[name] > 0} data-name={name}>
            <dt>{names[name]}</dt>
            <dd>{number(counts[name])}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" c="dimmed" mt="sm">
        {words.sum(number(counts.rows))}
        {counts.opted_out > 0 && ` · ${words.optedOut(number(counts.opted_out))}`}
        {counts.opt_outs_kept > 0 && ` · ${words.optOutsKept(number(counts.opt_outs_kept))}`}
      </Text>
    </Paper>
  );
}
