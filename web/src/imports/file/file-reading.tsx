import { LoadingOverlay, Select, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Import } from "../../../../src/contract/imports/import.ts";
import {
  DELIMITERS,
  ENCODINGS,
  IMPORT_FORMATS,
  type ImportFormat,
  PRESET_NAMES,
} from "../../../../src/contract/lists/files.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { done, failed } from "../../parts/toast.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { REFUSALS } from "../record/import-words.ts";
import { choiceTaken } from "../record/questions.ts";
import { type Act, act, useAct } from "../record/use-import.ts";
import { ENCODING_NAMES } from "./encoding-names.ts";
import { FILE_WORDS, FORMATS, PRESETS } from "./file-words.ts";
import { keepFile, keptFile } from "./kept-file.ts";
import { changedReading, presentReading, type Reading } from "./present-reading.ts";
import { useUpload } from "./use-upload.ts";

const choices = <Name extends string>(names: readonly Name[], words: Readonly<Record<Name, string>>) =>
  names.map((value) => ({ value, label: words[value] }));

const TEXT_FORMATS: readonly ImportFormat[] = IMPORT_FORMATS.filter((format) => format !== "xlsx");
const PRESETS_OR_NONE = ["none", ...PRESET_NAMES] as const;
const NONE = "none";
const FOOTER = "rows:footer";
/** So many rows are offered as the one with the column names. */
const OFFERED_ROWS = 30;

/** The options for reading the file; changing one re-reads the file with the others kept. */
export function FileReading({ record }: { record: Import }) {
  const words = useWords(FILE_WORDS);
  const encodings = useWords(ENCODING_NAMES);
  const { number } = useFormat();
  const { file, preset, dataset, questions } = record;
  const change = useAct(record.id);
  const again = useSheet(record);
  const isText = file.format !== "xlsx";
  const send = (request: Act) => change.mutate(request, { onSuccess: () => done(words.read) });
  const read = (how: Reading) => send(act.reread(changedReading(presentReading(record), how)));
  // An answer is used for later files with the same columns, too; what no question offers is only set for this file.
  const answer = (id: string, choice: string, how: Reading) => {
    const offered = questions.find((question) => question.id === id)?.choices ?? [];
    if (offered.some((each) => each.id === choice)) send(act.answer({ [id]: choice }));
    else read(how);
  };
  const marks = { ",": words.comma, ";": words.semicolon, "\t": words.tab, "|": words.bar };
  const footer = questions.find(({ id }) => id === FOOTER);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} pos="relative" aria-busy={change.isPending || again.busy}>
      <LoadingOverlay visible={change.isPending || again.busy} overlayProps={{ radius: "md" }} />
      <Select
        label={words.format}
        data={choices(isText ? TEXT_FORMATS : ["xlsx"], FORMATS)}
        value={file.format}
        allowDeselect={false}
        readOnly={!isText}
        onChange={(format) => format !== null && read({ format })}
      />
      {isText && (
        <Select
          label={words.encoding}
          description={words.encodingWhat}
          inputWrapperOrder={["label", "input", "description"]}
          data={choices(ENCODINGS, encodings)}
          value={file.encoding}
          allowDeselect={false}
          searchable
          nothingFoundMessage={words.noEncoding}
          onChange={(encoding) => encoding !== null && answer("encoding", encoding, { encoding })}
        />
      )}
      {file.format === "csv" && (
        <Select
          label={words.delimiter}
          data={choices(DELIMITERS, marks)}
          value={file.delimiter}
          allowDeselect={false}
          onChange={(delimiter) => delimiter !== null && read({ delimiter })}
        />
      )}
      {file.sheets !== null && file.sheets.length > 0 && (
        <Select
          label={words.sheet}
          data={[...new Set(file.sheets)]}
          value={file.sheet}
          allowDeselect={false}
          readOnly={again.read === undefined}
          {...(again.read === undefined && file.sheets.length > 1 ? { description: words.sheetAgain } : {})}
          inputWrapperOrder={["label", "input", "description"]}
          onChange={(sheet) => sheet !== null && sheet !== file.sheet && again.read?.(sheet)}
        />
      )}
      {(file.format === "csv" || file.format === "xlsx") && (
        <Select
          label={words.header}
          data={[
            ...rowsOf(record).map((row) => ({ value: String(row), label: words.headerRow(number(row)) })),
            { value: NONE, label: words.headerNone },
          ]}
          value={file.header_row === null ? NONE : String(file.header_row)}
          allowDeselect={false}
          onChange={(row) =>
            row !== null &&
            answer("header_row", row, row === NONE ? { header: false } : { header_row: Number(row) })
          }
        />
      )}
      {footer !== undefined && (
        <Select
          label={words.footer}
          data={[
            { value: "leave_out", label: words.footerOut(number(footer.examples.length)) },
            { value: "import", label: words.footerIn },
          ]}
          value={choiceTaken(footer)}
          allowDeselect={false}
          onChange={(choice) => choice !== null && send(act.answer({ [FOOTER]: choice }))}
        />
      )}
      {dataset === null && (
        <Select
          label={words.preset}
          data={choices(PRESETS_OR_NONE, { none: words.presetNone, ...PRESETS })}
          value={preset?.name ?? "none"}
          allowDeselect={false}
          onChange={(name) => name !== null && answer("program", name, { preset: name })}
        />
      )}
    </SimpleGrid>
  );
}

/** The rows that are offered as the one with the column names: the first ones, and those that the file suggests. */
function rowsOf({ file, questions }: Import): number[] {
  const asked = questions.find(({ id }) => id === "header_row")?.choices ?? [];
  const suggested = [file.header_row ?? 0, ...asked.map(({ id }) => Number(id))];
  const first = Array.from({ length: OFFERED_ROWS }, (_, i) => i + 1);
  return [...new Set([...first, ...suggested])].filter((row) => row > 0).sort((one, other) => one - other);
}

/** Another sheet is another upload of the file kept in memory; the first import is cancelled. */
function useSheet(record: Import) {
  const { id: project } = useProject();
  const locale = useLocale();
  const go = useNavigate();
  const upload = useUpload();
  const drop = useAct(record.id);
  const [busy, setBusy] = useState(false);
  const file = keptFile(record.id);
  if (file === undefined) return { busy, read: undefined };
  const read = async (sheet: string) => {
    setBusy(true);
    try {
      const dataset = record.dataset === null ? {} : { dataset: record.dataset.id };
      const made = await upload.send(file, { ...dataset, sheet });
      if (made === undefined) return;
      keepFile(made.id, file);
      drop.mutate(act.cancel);
      await go(`${addressIn(project, `imports/${made.id}`)}?step=file`, { replace: true });
    } catch (error) {
      failed(locale, error, REFUSALS[locale]);
    } finally {
      setBusy(false);
    }
  };
  return { busy, read: (sheet: string) => void read(sheet) };
}
