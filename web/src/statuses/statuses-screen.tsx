import { Alert, Paper } from "@mantine/core";
import { useStatuses } from "../api/queries.ts";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useMay } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import { AddStatus } from "./add-status.tsx";
import { StatusList } from "./status-list.tsx";
import { STATUS_WORDS } from "./status-words.ts";

/** Settings → Statuses: the list, which editors can change. */
export function Screen() {
  const words = useWords(STATUS_WORDS);
  const { data, error, isPending, refetch } = useStatuses();
  const mayChange = useMay("schema:write");
  return (
    <Page title={words.title} lead={words.lead}>
      {isPending && <Waiting lines={5} />}
      {error !== null && <Problem error={error} again={() => void refetch()} />}
      {data !== undefined && (
        <>
          {!mayChange && (
            <Alert variant="light" mb="md">
              {words.readOnly}
            </Alert>
          )}
          <Paper>
            <StatusList statuses={data.statuses} meanings={data.meanings} mayChange={mayChange} />
            {mayChange && <AddStatus statuses={data.statuses} />}
          </Paper>
        </>
      )}
    </Page>
  );
}
