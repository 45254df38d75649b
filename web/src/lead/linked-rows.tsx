import { Anchor, Paper, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { addressIn } from "../../../src/core/navigation.ts";
import { useRead } from "../api/queries.ts";
import { useCellText } from "../datasets/model/cell-text.ts";
import { useDatasets } from "../datasets/model/use-datasets.ts";
import { LongText } from "../parts/long-text.tsx";
import { isEmpty } from "../records/value.ts";
import { useProject } from "../session/me.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { useLeadHere } from "./context/lead-context.ts";
import facts from "./values/values.module.css";

const WORDS: Words<{ more: string }> = {
  en: { more: "Only the newest 20 rows are shown." },
  "pt-BR": { more: "Só as 20 linhas mais recentes são mostradas." },
};

/** The dataset rows that are linked to this lead. */
export function LinkedRows() {
  const { lead } = useLeadHere();
  const words = useWords(WORDS);
  const { id: projectId } = useProject();
  const textOf = useCellText();
  const linked = useRead("datasets", "/v1/leads/{id}", {
    params: { id: lead.id },
    query: { include: ["datasets"] },
  });
  const datasets = useDatasets();
  const filled = Object.entries(linked.data?.datasets ?? {}).filter(([, { rows }]) => rows.length > 0);
  return filled.map(([key, { rows, has_more: more }]) => {
    const dataset = datasets.data?.datasets.find((each) => each.key === key);
    const name = dataset?.name ?? key;
    const columns = new Map(dataset?.columns.map((column) => [column.key, column]));
    const written = (key: string, value: unknown) =>
      typeof value === "string" && columns.get(key)?.type === "text"
        ? value
        : textOf(columns.get(key) ?? { type: "text" }, value);
    return (
      <Paper key={key} component="section" aria-label={name}>
        <div className={facts.head}>
          <Title order={2} fz="sm">
            {dataset !== undefined ? (
              <Anchor component={Link} to={addressIn(projectId, `datasets/${dataset.id}`)} inherit>
                <bdi>{name}</bdi>
              </Anchor>
            ) : (
              <bdi>{name}</bdi>
            )}
          </Title>
        </div>
        {rows.map((row) => (
          <dl key={String(row._id)} className={facts.list}>
            {Object.entries(row)
              .filter(([column, value]) => !column.startsWith("_") && !isEmpty(value))
              .map(([column, value]) => (
                <div key={column} className={facts.row}>
                  <dt>
                    <bdi>{columns.get(column)?.label ?? column}</bdi>
                  </dt>
                  <dd>
                    <LongText text={written(column, value)} />
                  </dd>
                </div>
              ))}
          </dl>
        ))}
        {more && (
          <Text size="xs" c="dimmed" px="md" pb="sm">
            {words.more}
          </Text>
        )}
      </Paper>
    );
  });
}
