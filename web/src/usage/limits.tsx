import { Paper, Text, Title } from "@mantine/core";
import type { Usage } from "../../../src/contract/usage.ts";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./usage.module.css";
import { USAGE_WORDS } from "./usage-words.ts";

const NAMES = ["api", "mcp", "dataset_reads", "dataset_writes", "dataset_imports"] as const;

/** The rate and burst of each limit. */
export function Limits({ limits }: Pick<Usage, "limits">) {
  const words = useWords(USAGE_WORDS);
  const { number } = useFormat();
  return (
    <Paper component="section" aria-labelledby="limits">
      <div className={styles.head}>
        <div>
          <Title order={2} id="limits">
            {words.limits}
          </Title>
          <Text size="sm" c="dimmed" maw="42rem">
            {words.limitsWhat}
          </Text>
        </div>
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.what}</th>
            <th scope="col" data-number>
              {words.pace}
            </th>
            <th scope="col" data-number>
              {words.burst}
            </th>
          </tr>
        </thead>
        <tbody>
          {NAMES.map((name) => {
            const pace = limits[name] ?? null;
            const turns = pace && number(pace.turns);
            return (
              <tr key={name}>
                <th scope="row">
                  {words.limit[name]}
                  <span className={styles.note}>{words.limitWhat[name]}</span>
                </th>
                <td data-number>
                  {pace === null || turns === null
                    ? words.unlimited
                    : pace.seconds === 60
                      ? words.perMinute(turns)
                      : words.perHour(turns)}
                </td>
                <td data-number>{pace === null ? "–" : number(pace.burst)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Paper>
  );
}
