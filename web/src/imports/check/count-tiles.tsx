import { Paper, Text } from "@mantine/core";
import { ROW_OUTCOMES, type RowCounts } from "../../../../src/contract/lists/outcomes.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { COUNT_NAMES } from "../record/report-words.ts";
import styles from "./check.module.css";
import { CHECK_WORDS } from "./check-words.ts";

/** The five counts of an import's rows, and their sum. */
export function CountTiles({ counts }: { counts: RowCounts }) {
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
      </Text>
    </Paper>
  );
}
