import { LoadingOverlay, Select, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Import } from "../../../../src/contract/imports/import.ts";
import {
  DELIMITERS,
  ENCODINGS,
  type ImportFormat,
  PRESET_NAMES,
} from "../../../../src/contract/lists/files.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import type { Body } from "../../api/call.ts";
import { done, failed } from "../../parts/toast.ts";
import { useProject } from "../../session/me.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { REFUSALS } from "../record/import-words.ts";
import { act, useAct } from "../record/use-import.ts";
import { ENCODING_NAMES, FILE_WORDS, FORMATS, PRESETS } from "./file-words.ts";
import { keepFile, keptFile } from "./kept-file.ts";
import { useUpload } from "./use-upload.ts";

const choices = <Name extends string>(names: readonly Name[], words: Readonly<Record<Name, string>>) =>
  names.map((value) => ({ value, label: words[value] }));

const TEXT_FORMATS: readonly ImportFormat[] = ["csv", "ndjson"];
const YES_OR_NO = ["yes", "no"] as const;
const PRESETS_OR_NONE = ["none", ...PRESET_NAMES] as const;

type Reading = Body<"PUT", "/v1/imports/{id}/file">;

/** The options for reading the file; changing one re-reads the file with the others kept. */
export function FileReading({ record }: { record: Import }) {
  const words = useWords(FILE_WORDS);
  const { file, preset, dataset } = record;
  const change = useAct(record.id);
  const again = useSheet(record);
  const isText = file.format !== "xlsx";
  const read = (how: Reading) => {
    const { format, encoding, delimiter } = file;
    const kept: Reading = encoding === null ? {} : { encoding };
    const sheet: Reading = { header: file.header_row !== null };
    const present: Reading = {
      ...kept,
      ...(format !== null && { format }),
      ...(format === "csv" && { ...sheet, ...(delimiter !== null && { delimiter }) }),
    };
    // another format or encoding gives another text, so the delimiter and header are detected again
    const same = "format" in how ? kept : isText ? present : sheet;
    const named = preset === null || dataset !== null ? {} : { preset: preset.name };
    change.mutate(act.reread({ ...same, ...named, ...how }), { onSuccess: () => done(words.read) });
  };
  const marks = { ",": words.comma, ";": words.semicolon, "\t": words.tab, "|": words.bar };
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
          data={choices(ENCODINGS, ENCODING_NAMES)}
          value={file.encoding}
          allowDeselect={false}
          onChange={(encoding) => encoding !== null && read({ encoding })}
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
      {file.format !== "ndjson" && (
        <Select
          label={words.header}
          data={choices(YES_OR_NO, { yes: words.headerYes, no: words.headerNo })}
          value={file.header_row === null ? "no" : "yes"}
          allowDeselect={false}
          onChange={(value) => read({ header: value === "yes" })}
        />
      )}
      {dataset === null && (
        <Select
          label={words.preset}
          data={choices(PRESETS_OR_NONE, { none: words.presetNone, ...PRESETS })}
          value={preset?.name ?? "none"}
          allowDeselect={false}
          onChange={(name) => read({ preset: name ?? "none" })}
        />
      )}
    </SimpleGrid>
  );
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
