import { Alert, Button, Stack } from "@mantine/core";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { CHECK_WORDS } from "../check/check-words.ts";
import { CountTiles } from "../check/count-tiles.tsx";
import { FailedRows } from "../check/failed-rows.tsx";
import { useFixes } from "../check/fixes.ts";
import { ChoicesMade } from "../questions/choices-made.tsx";
import { isImportBusy, isImportOver } from "../record/import-record.ts";
import { REFUSALS } from "../record/import-words.ts";
import { REPORT_WORDS } from "../record/report-words.ts";
import { KeptRecords } from "./kept-list.tsx";
import { ResultActions } from "./result-actions.tsx";
import { ResultFiles } from "./result-files.tsx";
import { Running } from "./running.tsx";
import { useSendFixed } from "./use-send-fixed.ts";

/** The progress of the import, then its report, its files and its actions. */
export function ResultStep({ record }: { record: Import }) {
  const words = useWords(REPORT_WORDS);
  const check = useWords(CHECK_WORDS);
  const refusals = useWords(REFUSALS);
  const { number } = useFormat();
  const [fixes, setFixes] = useFixes(record.id);
  const send = useSendFixed(record);
  const fixed = Object.keys(fixes).length;
  const { state, error, undo } = record;
  const busy = isImportBusy(record);
  const over = isImportOver(record);
  return (
    <Stack gap="lg">
      {busy && <Running record={record} />}
      {state === "failed" && (
        <Alert color="red" variant="light" title={words.stopped} role="alert">
          <bdi>{refusals[error?.code ?? ""] ?? error?.message}</bdi>
        </Alert>
      )}
      {state === "cancelled" && record.rows === 0 && <Alert variant="light">{words.neverBegan}</Alert>}
      {undo !== null && !busy && (
        <Alert variant="light">
          {words.undoCounts(number(undo.deleted), number(undo.restored), number(undo.left))}
        </Alert>
      )}
      {(record.rows > 0 || state === "done") && <CountTiles counts={record} />}
      {!busy && <ResultActions record={record} />}
      {undo !== null && undo.left > 0 && !busy && !over && <KeptRecords record={record} />}
      {!busy && !over && record.failed > 0 && state !== "undone" && (
        <FailedRows
          record={record}
          title={words.failed}
          lead={check.errorsAfter}
          fixes={fixes}
          onFixes={setFixes}
          action={
            fixed > 0 && (
              <Button loading={send.isPending} onClick={() => send.mutate(fixes)}>
                {check.sendFixed(number(fixed))}
              </Button>
            )
          }
        />
      )}
      {!busy && record.rows > 0 && <ResultFiles record={record} />}
      {!busy && <ChoicesMade record={record} />}
    </Stack>
  );
}
