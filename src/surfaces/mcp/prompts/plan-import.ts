import {
  IMPORT_SYSTEMS,
  type SuggestedMapping,
  suggestMapping,
} from "../../../domain/imports/questions/suggest-mapping.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { DATA_BYTES, writtenBytes } from "./data-block.ts";
import { completeFrom, prompt, wordIn, wrong } from "./prompt.ts";

const MOST_COLUMNS = 200;

/** Room for the project data that every prompt includes. */
const FRAME_BYTES = 6_000;

export const planImport = prompt({
  name: "plan_import",
  title: "Plan an import",
  description: "How to map the columns of a file to lead fields, and what to decide before importing it.",
  arguments: [
    {
      name: "columns",
      title: "Columns",
      description: "The first line of the file, its columns separated by commas, semicolons or tabs.",
      required: false,
    },
    {
      name: "system",
      title: "System",
      description: `The program that wrote the file: ${IMPORT_SYSTEMS.join(", ")}; by default detected from the columns.`,
      required: false,
      complete: completeFrom(IMPORT_SYSTEMS),
    },
  ],
  task: {
    en: [
      "Help plan the import of a file of leads. The data has the fields that a column can fill and, if the file's columns are known, a mapping suggested from their names alone.",
      "Go through the columns: say which field each one fills, which need a decision (another field, a custom field, or skipping), and how dates, decimals, phone numbers and statuses must be written.",
      "Say which column identifies a person, so that importing twice creates no duplicates. If no columns are given, ask for the file's first line.",
      "Files are imported through the API or the command line, where a dry run shows the result before anything is written.",
    ].join(" "),
    "pt-BR": [
      "Ajude a planejar a importação de um arquivo de leads. Os dados trazem os campos que uma coluna pode preencher e, quando as colunas são conhecidas, um mapeamento sugerido só pelos nomes.",
      "Percorra as colunas: diga qual campo cada uma preenche, quais exigem uma decisão (outro campo, um campo personalizado ou ignorar) e como datas, decimais, telefones e status precisam estar escritos.",
      "Diga qual coluna identifica uma pessoa, para que importar duas vezes não crie duplicados. Se não houver colunas, peça a primeira linha do arquivo.",
      "Arquivos são importados pela API ou pela linha de comando, onde uma simulação mostra o resultado antes de gravar qualquer coisa.",
    ].join(" "),
  },
  async data(asked) {
    const system = wordIn(asked, "system", IMPORT_SYSTEMS);
    const header = columnsIn(asked.args.columns ?? "");
    if (header.length > MOST_COLUMNS) throw wrong("columns", `must have at most ${MOST_COLUMNS} columns`);
    const { service, caller } = asked.call;
    const input = { header, ...(system === undefined ? {} : { system }) };
    const { system: found, ...suggested } = await perform(service, suggestMapping, caller, input);
    const columns = header.length === 0 ? {} : { mapping: suggested.columns, unmapped: suggested.unmapped };
    const { fields, cut } = withOptions(suggested.fields, { columns, args: asked.args });
    return { system: found, ...columns, fields, ...(cut ? { truncated: true, hint: HINT } : {}) };
  },
});

const HINT = "The options of some enum fields did not fit; the resource leads://schema has all of them.";

/** Returns every field, with its options if they fit next to the rest of the prompt. */
function withOptions(all: SuggestedMapping["fields"], beside: object): { fields: object[]; cut: boolean } {
  const short = all.map(({ name, type }) => ({ name, type }));
  let room = DATA_BYTES - FRAME_BYTES - writtenBytes({ beside, short });
  const fields = all.map(({ options, ...field }) => {
    if (options.length === 0) return field;
    room -= writtenBytes({ options });
    return room < 0 ? field : { ...field, options };
  });
  return { fields, cut: room < 0 };
}

/** Returns the columns of a header line, without surrounding quotes. */
function columnsIn(line: string): string[] {
  const separator = ["\t", ";"].find((each) => line.includes(each)) ?? ",";
  const columns = line.split(separator).map((column) =>
    column
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .slice(0, 500),
  );
  return columns.filter((column) => column !== "");
}
