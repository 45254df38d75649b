import { Button, Paper } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { draftsUnder } from "../../drafts/draft-store.ts";
import { useDraftPlace } from "../../drafts/use-draft.ts";
import { IconPlus } from "../../look/icons.ts";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Page } from "../../parts/screen.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useMay } from "../../session/me.ts";
import { useCommand } from "../../shortcuts/commands.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useWords } from "../../words/use-words.ts";
import { useDatasets } from "../model/use-datasets.ts";
import { DatasetLine } from "./dataset-line.tsx";
import { DATASET_LIST_WORDS } from "./dataset-list-words.ts";
import styles from "./datasets-list.module.css";
import { NEW_DATASET } from "./new-dataset-draft.ts";

const NewDataset = lazy(async () => ({ default: (await import("./new-dataset.tsx")).NewDataset }));

/** The project's datasets with their size and link to leads. */
export function Screen() {
  const words = useWords(DATASET_LIST_WORDS);
  const mayWrite = useMay("datasets:write");
  const { data, error, isPending, refetch } = useDatasets();
  const place = useDraftPlace();
  const [creating, setCreating] = useState(() => mayWrite && draftsUnder(place, NEW_DATASET).size > 0);
  const create = () => setCreating(true);
  useShortcut("c", words.create, create, { enabled: mayWrite });
  useCommand(words.create, mayWrite ? create : undefined);
  const button = mayWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={create}>
      {words.create}
    </Button>
  );
  const datasets = data?.datasets ?? [];
  return (
    <Page title={words.title} lead={words.lead} actions={datasets.length > 0 && button} wide>
      {isPending && <Waiting />}
      {error !== null && <Problem error={error} again={() => void refetch()} />}
      {data !== undefined && datasets.length === 0 && (
        <Paper>
          <Empty icon="datasets" title={words.none} actions={button}>
            {mayWrite ? words.noneWhat : words.noneView}
          </Empty>
        </Paper>
      )}
      {datasets.length > 0 && (
        <Paper>
          <ul className={styles.list} aria-label={words.title}>
            {datasets.map((dataset) => (
              <DatasetLine key={dataset.id} dataset={dataset} />
            ))}
          </ul>
        </Paper>
      )}
      <Suspense>{creating && <NewDataset onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  );
}
