import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { importLeads } from "../domain/imports/import-leads.ts";
import { type Command, text } from "./command.ts";

export const importLeadsCommand: Command = {
  name: "import leads",
  usage: "import leads --project ID --file FILE.csv [--mapping MAPPING.json]",
  options: {
    project: { type: "string" },
    file: { type: "string" },
    mapping: { type: "string" },
    preset: { type: "string" },
  },
  required: ["project", "file"],
  async run({ options, service }) {
    const file = text(options, "file");
    const mapping =
      options.mapping === undefined
        ? undefined
        : JSON.parse(await readFile(text(options, "mapping"), "utf8"));
    return await importLeads(await service(), {
      projectId: text(options, "project"),
      file,
      fileName: basename(file),
      mapping,
      actor: { type: "cli", id: null, label: "command line" },
    });
  },
};
