import { Alert, Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { Fault } from "../../../../src/contract/basics/problem.ts";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { useProject } from "../../session/me.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { faultText } from "../model/dataset-faults.ts";
import styles from "./schema.module.css";
import { SCHEMA_WORDS } from "./schema-words.ts";

/** The notice of a running change of the columns, or of why the last one failed. */
export function ChangeNotice({ dataset }: { dataset: Dataset }) {
  const words = useWords(SCHEMA_WORDS);
  const { change } = dataset;
  if (change === null) return null;
  const { state, details } = change;
  return (
    <Alert
      mb="md"
      variant="light"
      color={state === "running" ? "blue" : "red"}
      title={words[state]}
      role={state === "running" ? "status" : "alert"}
    >
      {state === "running" ? words.runningWhat : state === "failed" ? words.failedWhat : words.abandonedWhat}
      <Unfit dataset={dataset} details={details} />
    </Alert>
  );
}

/** The rows that do not fit the new columns, with a link to them. */
export function Unfit({ dataset, details }: { dataset: Dataset; details: readonly Fault[] }) {
  const words = useWords(SCHEMA_WORDS);
  const locale = useLocale();
  const { id: project } = useProject();
  if (details.length === 0) return null;
  const found = details.map((fault) => ({ ...fault, place: /^(row_[a-z0-9]+)\.?(.*)$/.exec(fault.path) }));
  const ids = [...new Set(found.flatMap(({ place }) => place?.[1] ?? []))];
  const label = (key: string) => dataset.columns.find((column) => column.key === key)?.label ?? key;
  const filter = JSON.stringify({ field: "_id", op: "in", value: ids });
  return (
    <>
      <ul className={styles.examples}>
        {found.map(({ path, place, ...fault }) => (
          <li key={path}>
            {place !== null && <bdi>{label(place[2] ?? "")}</bdi>} <bdi>{faultText(locale, fault)}</bdi>
          </li>
        ))}
      </ul>
      {ids.length > 0 && (
        <Anchor
          component={Link}
          to={`${addressIn(project, `datasets/${dataset.id}`)}?${new URLSearchParams({ filter })}`}
        >
          {words.showRows}
        </Anchor>
      )}
    </>
  );
}
