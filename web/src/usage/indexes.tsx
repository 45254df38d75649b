import { Paper, Text, Title } from "@mantine/core";
import type { UsedIndex } from "../../../src/contract/usage.ts";
import { useFields } from "../api/queries.ts";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import { LastUse } from "./last-use.tsx";
import styles from "./usage.module.css";
import { USAGE_WORDS } from "./usage-words.ts";

/** The indexes of fields, with what they are for and who asked for them. */
export function Indexes({ indexes }: { indexes: readonly UsedIndex[] }) {
  const words = useWords(USAGE_WORDS);
  const { number } = useFormat();
  const { data } = useFields();
  const nameOf = (field: string) =>
    field === "email@"
      ? words.emailDomain
      : (data?.fields.find(({ name }) => name === field)?.label ?? field);
  return (
    <Paper component="section" aria-labelledby="indexes">
      <div className={styles.head}>
        <div>
          <Title order={2} id="indexes">
            {words.indexes}
          </Title>
          <Text size="sm" c="dimmed" maw="42rem">
            {words.indexesWhat}
          </Text>
        </div>
      </div>
      {indexes.length === 0 ? (
        <Text c="dimmed" size="sm" px="md" pb="md">
          {words.noIndexes}
        </Text>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words.field}</th>
              <th scope="col" data-number>
                {words.holdings.leads}
              </th>
              <th scope="col">{words.indexState}</th>
            </tr>
          </thead>
          <tbody>
            {indexes.map(({ field, kind, ...index }) => (
              <tr key={`${field} ${kind}`}>
                <th scope="row">
                  <bdi>{nameOf(field)}</bdi>
                  <span className={styles.note}>
                    {words.indexKind[kind]} · {words.indexMaker[index.made_by]} ·{" "}
                    <LastUse at={index.created_at} />
                  </span>
                </th>
                <td data-number>{number(index.leads)}</td>
                <td>{words.state[index.state]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Paper>
  );
}
