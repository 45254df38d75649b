import { Alert, Button, Paper, Text } from "@mantine/core";
import { Link, useParams } from "react-router";
import type { Import } from "../../../src/contract/imports/import.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { text, useAddressState } from "../address/use-address-state.ts";
import { ApiError } from "../api/api-error.ts";
import { useDatasets } from "../datasets/model/use-datasets.ts";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useMay, useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import { CheckStep } from "./check/check-step.tsx";
import { ColumnsStep } from "./columns/columns-step.tsx";
import { FileStep } from "./file/file-step.tsx";
import { NewImport } from "./new-import.tsx";
import { Questions } from "./questions/questions.tsx";
import { type Step, stepOf } from "./record/import-record.ts";
import { IMPORT_WORDS } from "./record/import-words.ts";
import { StateBadge } from "./record/state-badge.tsx";
import { useImport } from "./record/use-import.ts";
import { ResultStep } from "./result/result-step.tsx";
import { Steps } from "./steps.tsx";

const ADDRESS = { step: text() };

/** An import from its file to its report. The service holds the state, so a reload changes nothing. */
export function Screen() {
  const { import: id = "" } = useParams();
  return id === "new" ? <NewImport /> : <OneImport key={id} id={id} />;
}

function OneImport({ id }: { id: string }) {
  const words = useWords(IMPORT_WORDS);
  const { id: project } = useProject();
  const may = useMay("leads:write");
  const { data, error, isPending, refetch } = useImport(id);
  const all = (
    <Button component={Link} to={addressIn(project, "imports")} variant="default">
      {words.all}
    </Button>
  );
  if (!may)
    return (
      <Page title={words.title}>
        <Alert variant="light">{words.noRole}</Alert>
      </Page>
    );
  if (error instanceof ApiError && error.status === 404)
    return (
      <Page title={words.gone}>
        <Paper>
          <Empty icon="imports" title={words.gone} actions={all}>
            {words.goneWhat}
          </Empty>
        </Paper>
      </Page>
    );
  return (
    <Page title={data?.file.name ?? words.title} actions={all} wide>
      {isPending && <Waiting />}
      {error !== null && data === undefined && <Problem error={error} again={() => void refetch()} />}
      {data !== undefined && <Wizard record={data} />}
    </Page>
  );
}

function Wizard({ record }: { record: Import }) {
  const [{ step: wanted }, change] = useAddressState(ADDRESS);
  const step = stepOf(record, wanted);
  const go = (to: Step) => change({ step: to });
  return (
    <>
      <Text component="div" mb="md" c="dimmed">
        <StateBadge state={record.state} /> <Target record={record} />
      </Text>
      {record.state === "ready" && <Steps at={step} onGo={go} />}
      {step === "file" && (
        <FileStep
          record={record}
          questions={<Questions record={record} about="file" />}
          onNext={() => go("columns")}
        />
      )}
      {step === "columns" && (
        <ColumnsStep
          record={record}
          questions={<Questions record={record} about="columns" />}
          onNext={() => go("check")}
        />
      )}
      {step === "check" && <CheckStep record={record} onColumns={() => go("columns")} />}
      {step === "result" && <ResultStep record={record} />}
    </>
  );
}

/** Where the rows are imported to. */
function Target({ record: { dataset } }: { record: Import }) {
  const words = useWords(IMPORT_WORDS);
  const datasets = useDatasets();
  const known = datasets.data?.datasets.find(({ id }) => id === dataset?.id);
  return (
    <>
      {words.into} <bdi>{dataset === null ? words.leads : (known?.name ?? dataset.key ?? "—")}</bdi>
    </>
  );
}
