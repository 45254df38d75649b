import { basename } from "node:path";
import { ENCODINGS, encodingNamed } from "../contract/lists/files.ts";
import type { FileChoices } from "../domain/imports/file/shape/import-file.ts";
import { PRESETS } from "../domain/imports/mapping/preset-list.ts";
import { presetNamed } from "../domain/imports/mapping/presets.ts";
import { importLeads } from "../domain/imports/run/import-leads.ts";
import { type Command, text, UsageError } from "./command.ts";
import { readText, type Terminal } from "./instance/terminal.ts";

export const importLeadsCommand: Command = {
  name: "import leads",
  usage:
    "import leads --project ID --file FILE.csv [--mapping MAPPING.json] [--preset NAME] [--encoding NAME] [--answers ANSWERS.json] [--clear-opt-out]   (creates and updates leads from a file, and reports each row)",
  options: {
    project: { type: "string" },
    file: { type: "string" },
    mapping: { type: "string" },
    preset: { type: "string" },
    encoding: { type: "string" },
    answers: { type: "string" },
    "clear-opt-out": { type: "boolean" },
  },
  required: ["project", "file"],
  async run({ options, terminal, service }) {
    const file = text(options, "file");
    const json = async (option: "mapping" | "answers") =>
      options[option] === undefined ? undefined : await jsonOf(terminal, text(options, option));
    const mapping = await json("mapping");
    const answers = readAnswers(await json("answers"));
    const { skippedColumns, failures, questions, ...counts } = await importLeads(await service(), {
      projectId: text(options, "project"),
      file: () => terminal.read(file),
      preset: presetOf(options.preset),
      choices: choicesOf(options.encoding),
      fileName: basename(file),
      mapping,
      ...(answers === undefined ? {} : { answers }),
      clearOptOut: options["clear-opt-out"] === true,
      actor: { type: "cli", id: null, label: "command line" },
    });
    const told = new Set(failures.map((each) => each.row)).size;
    const more = counts.failed > told ? { failed_rows_not_shown: counts.failed - told } : {};
    const asked = questions.map(({ id, message, default: usual, answer, answered_in: from }) => ({
      ...{ id, message, choice: answer ?? usual },
      ...(answer === null ? {} : { answered: from === null ? "here" : from }),
    }));
    return { ...counts, questions: asked, skipped_columns: skippedColumns, failures, ...more };
  },
};

function presetOf(name: string | boolean | undefined): string | undefined {
  if (name === undefined || (typeof name === "string" && presetNamed(name) !== undefined)) return name;
  throw new UsageError(`--preset must be one of ${PRESETS.map((preset) => preset.name).join(", ")}`);
}

function choicesOf(encoding: string | boolean | undefined): FileChoices {
  if (typeof encoding !== "string") return {};
  const known = encodingNamed(encoding);
  if (known !== undefined) return { encoding: known };
  throw new UsageError(`--encoding must be one of ${ENCODINGS.join(", ")}`);
}

/** Reads choices by question. */
function readAnswers(json: unknown): Record<string, string> | undefined {
  if (json === undefined) return undefined;
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  if (isObject && Object.values(json).every((choice) => typeof choice === "string"))
    return json as Record<string, string>;
  throw new UsageError('--answers must be a JSON object such as {"main_phone": "Mobile"}');
}

async function jsonOf(terminal: Terminal, path: string): Promise<unknown> {
  const json = await readText(terminal.read(path), path);
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new UsageError(`${path} is not valid JSON`);
  }
}
