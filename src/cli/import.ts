import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { importLeads } from "../domain/imports/import-leads.ts";
import { type Command, text, UsageError } from "./command.ts";

export const importLeadsCommand: Command = {
  name: "import leads",
  usage: "import leads --project ID --file FILE.csv [--mapping MAPPING.json]",
  options: { project: { type: "string" }, file: { type: "string" }, mapping: { type: "string" } },
  required: ["project", "file"],
  async run({ options, service }) {
    const file = text(options, "file");
    const mapping = options.mapping === undefined ? undefined : await mappingOf(text(options, "mapping"));
    const { skippedColumns, failures, ...counts } = await importLeads(await service(), {
      projectId: text(options, "project"),
      file,
      fileName: basename(file),
      mapping,
      actor: { type: "cli", id: null, label: "command line" },
    });
    return { ...counts, skipped_columns: skippedColumns, failures };
  },
};

async function mappingOf(path: string): Promise<unknown> {
  const json = await readFile(path, "utf8");
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new UsageError(`${path} is not valid JSON`);
  }
}
