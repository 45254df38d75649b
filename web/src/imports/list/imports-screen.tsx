import { Alert, Button, Group, Paper, Select } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { addressIn } from "../../../../src/core/navigation.ts";
import { text, useAddressState } from "../../address/use-address-state.ts";
import { useDatasets } from "../../datasets/model/use-datasets.ts";
import { IconUpload } from "../../look/icons.ts";
import { Empty } from "../../parts/empty.tsx";
import styles from "../../parts/lines.module.css";
import { Problem } from "../../parts/problem.tsx";
import { Page } from "../../parts/screen.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useMay, useProject } from "../../session/me.ts";
import { useCommand } from "../../shortcuts/commands.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useWords } from "../../words/use-words.ts";
import { IMPORT_WORDS } from "../record/import-words.ts";
import { useImports } from "../record/use-imports.ts";
import { ImportLine } from "./import-line.tsx";

const ADDRESS = { dataset: text() };

/** The history of imports, of leads or of one dataset. */
export function Screen() {
  const words = useWords(IMPORT_WORDS);
  const mayLeads = useMay("leads:write");
  const mayRows = useMay("datasets:import");
  const { id: project } = useProject();
  const go = useNavigate();
  const [{ dataset }, change] = useAddressState(ADDRESS);
  const datasets = useDatasets();
  const fresh = `${addressIn(project, "imports/new")}${dataset === "" ? "" : `?dataset=${encodeURIComponent(dataset)}`}`;
  const may = mayLeads || mayRows;
  useCommand(words.fresh, may ? () => void go(fresh) : undefined);
  useShortcut("c", words.fresh, () => void go(fresh), { enabled: may });
  if (!may)
    return (
      <Page title={words.title} lead={words.lead}>
        <Alert variant="light">{words.noRole}</Alert>
      </Page>
    );
  const button = (
    <Button component={Link} to={fresh} leftSection={<IconUpload size={16} />}>
      {words.fresh}
    </Button>
  );
  const named = datasets.data?.datasets ?? [];
  return (
    <Page title={words.title} lead={words.lead} actions={button} wide>
      {(named.length > 0 || dataset !== "") && (
        <Group mb="md">
          <Select
            aria-label={words.show}
            value={dataset === "" ? "leads" : dataset}
            data={[
              { value: "leads", label: words.leads },
              ...named.map(({ key, name }) => ({ value: key, label: name })),
            ]}
            allowDeselect={false}
            searchable
            onChange={(value) => change({ dataset: value === null || value === "leads" ? "" : value })}
          />
        </Group>
      )}
      <History key={dataset} dataset={dataset} button={button} />
    </Page>
  );
}

function History({ dataset, button }: { dataset: string; button: ReactNode }) {
  const words = useWords(IMPORT_WORDS);
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useImports(dataset);
  const imports = data?.pages.flatMap((page) => page.imports) ?? [];
  return (
    <>
      {isPending && <Waiting />}
      {error !== null && <Problem error={error} again={() => void refetch()} />}
      {data !== undefined && imports.length === 0 && (
        <Paper>
          <Empty icon="imports" title={words.none} actions={button}>
            {words.noneWhat}
          </Empty>
        </Paper>
      )}
      {imports.length > 0 && (
        <Paper>
          <ol className={styles.list} aria-label={words.list}>
            {imports.map((each) => (
              <ImportLine key={each.id} record={each} />
            ))}
          </ol>
        </Paper>
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </>
  );
}
