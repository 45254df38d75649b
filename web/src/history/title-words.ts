import type { ChangeKind } from "../../../src/contract/lists/changes.ts";
import type { Named, Words } from "../words/use-words.ts";

/** What a title is made of, as words: leads by name or number, fields by label, names in isolation. */
interface TitleParts {
  /** The only lead by its name, or how many: `1,149 leads`. */
  leads: string;
  /** Undefined if no field is known. */
  fields: string | undefined;
  /** The name of the file, the dataset, the view, the custom field. */
  file: string | undefined;
  dataset: string | undefined;
  view: string | undefined;
  field: string;
  events: string;
  rows: string;
  /** How many leads were created and changed, for a file: `1,000 created, 20 changed`. */
  counts: string;
  op: string;
}

type Titles = Named<ChangeKind, (parts: TitleParts) => string>;

interface TitleWords {
  of: Titles;
  other: string;
  undid(title: string | undefined): string;
  redid(title: string | undefined): string;
  leads(written: string, count: number): string;
  aLead: string;
  rows(written: string, count: number): string;
  events(written: string, count: number): string;
}

const BULK: Words<Readonly<Record<string, (parts: TitleParts) => string>>> = {
  en: {
    create: ({ leads }) => `Created ${leads}`,
    upsert: ({ leads }) => `Created or changed ${leads}`,
    tag_add: ({ leads }) => `Added tags to ${leads}`,
    tag_remove: ({ leads }) => `Removed tags from ${leads}`,
    delete: ({ leads }) => `Deleted ${leads}`,
    restore: ({ leads }) => `Restored ${leads}`,
  },
  "pt-BR": {
    create: ({ leads }) => `Criação de ${leads}`,
    upsert: ({ leads }) => `Criação ou alteração de ${leads}`,
    tag_add: ({ leads }) => `Tags adicionadas a ${leads}`,
    tag_remove: ({ leads }) => `Tags removidas de ${leads}`,
    delete: ({ leads }) => `Exclusão de ${leads}`,
    restore: ({ leads }) => `Restauração de ${leads}`,
  },
};

const setInEnglish = ({ fields, leads }: TitleParts): string =>
  fields === undefined ? `Changed ${leads}` : `Set ${fields} of ${leads}`;
const setInPortuguese = ({ fields, leads }: TitleParts): string =>
  fields === undefined ? `Alteração de ${leads}` : `Alteração de ${fields} de ${leads}`;

/** A dataset has no name once it is deleted. */
const datasetInEnglish = (name: string | undefined): string =>
  name === undefined ? "a dataset" : `the dataset ${name}`;
const datasetInPortuguese = (name: string | undefined): string =>
  name === undefined ? "de um conjunto de dados" : `do conjunto de dados ${name}`;

/** Nor has a view. */
const viewInEnglish = (name: string | undefined): string =>
  name === undefined ? "a view" : `the view ${name}`;
const viewInPortuguese = (name: string | undefined): string =>
  name === undefined ? "de uma visão" : `da visão ${name}`;

/** What a change did, in plain words. Kinds of other services are named in general. */
export const TITLE_WORDS: Words<TitleWords> = {
  en: {
    of: {
      "lead.create": ({ leads }) => `Created ${leads}`,
      "lead.update": setInEnglish,
      "lead.upsert": ({ leads }) => `Created or changed ${leads}`,
      "lead.delete": ({ leads }) => `Deleted ${leads}`,
      "lead.restore": ({ leads }) => `Restored ${leads}`,
      "lead.merge": ({ leads }) => `Merged another lead into ${leads}`,
      "lead.erase": ({ leads }) => `Erased ${leads}`,
      "person.erase": () => "Erased a person",
      bulk: (parts) => BULK.en[parts.op]?.(parts) ?? setInEnglish(parts),
      "event.add": ({ events, leads }) => `Recorded ${events} of ${leads}`,
      import: ({ file, counts }) => `Imported ${file ?? "a file"}${counts === "" ? "" : `: ${counts}`}`,
      "row.write": ({ rows, dataset }) => `Saved ${rows}${dataset === undefined ? "" : ` in ${dataset}`}`,
      "row.delete": ({ rows, dataset }) => `Deleted ${rows}${dataset === undefined ? "" : ` in ${dataset}`}`,
      "dataset.create": ({ dataset }) => `Created ${datasetInEnglish(dataset)}`,
      "dataset.update": ({ dataset }) => `Changed ${datasetInEnglish(dataset)}`,
      "dataset.delete": ({ dataset }) => `Deleted ${datasetInEnglish(dataset)}`,
      "field.create": ({ field, fields }) =>
        fields === undefined ? `Created the field ${field}` : `Created the fields ${fields}`,
      "field.update": ({ field }) => `Changed the field ${field}`,
      "field.delete": ({ field }) => `Deleted the field ${field}`,
      "statuses.set": () => "Changed the statuses",
      "untracked_fields.set": () => "Changed which fields timelines show",
      "view.create": ({ view }) => `Created ${viewInEnglish(view)}`,
      "view.update": ({ view }) => `Changed ${viewInEnglish(view)}`,
      "view.delete": ({ view }) => `Deleted ${viewInEnglish(view)}`,
      "phones.read": ({ leads }) => `Read the phone numbers of ${leads} again`,
      undo: () => "Undid a change",
    },
    other: "Changed the project",
    undid: (title) => (title === undefined ? "Undid a change" : `Undid: ${title}`),
    redid: (title) => (title === undefined ? "Undid an undo" : `Redid: ${title}`),
    leads: (written, count) => (count === 0 ? "leads" : `${written} ${count === 1 ? "lead" : "leads"}`),
    aLead: "a lead",
    rows: (written, count) => (count === 0 ? "rows" : `${written} ${count === 1 ? "row" : "rows"}`),
    events: (written, count) => (count === 1 ? "an event" : count === 0 ? "events" : `${written} events`),
  },
  "pt-BR": {
    of: {
      "lead.create": ({ leads }) => `Criação de ${leads}`,
      "lead.update": setInPortuguese,
      "lead.upsert": ({ leads }) => `Criação ou alteração de ${leads}`,
      "lead.delete": ({ leads }) => `Exclusão de ${leads}`,
      "lead.restore": ({ leads }) => `Restauração de ${leads}`,
      "lead.merge": ({ leads }) => `Outro lead mesclado a ${leads}`,
      "lead.erase": ({ leads }) => `Apagamento de ${leads}`,
      "person.erase": () => "Apagamento de uma pessoa",
      bulk: (parts) => BULK["pt-BR"][parts.op]?.(parts) ?? setInPortuguese(parts),
      "event.add": ({ events, leads }) => `Registro de ${events} de ${leads}`,
      import: ({ file, counts }) =>
        `Importação de ${file ?? "um arquivo"}${counts === "" ? "" : `: ${counts}`}`,
      "row.write": ({ rows, dataset }) =>
        `Gravação de ${rows}${dataset === undefined ? "" : ` em ${dataset}`}`,
      "row.delete": ({ rows, dataset }) =>
        `Exclusão de ${rows}${dataset === undefined ? "" : ` em ${dataset}`}`,
      "dataset.create": ({ dataset }) => `Criação ${datasetInPortuguese(dataset)}`,
      "dataset.update": ({ dataset }) => `Alteração ${datasetInPortuguese(dataset)}`,
      "dataset.delete": ({ dataset }) => `Exclusão ${datasetInPortuguese(dataset)}`,
      "field.create": ({ field, fields }) =>
        fields === undefined ? `Criação do campo ${field}` : `Criação dos campos ${fields}`,
      "field.update": ({ field }) => `Alteração do campo ${field}`,
      "field.delete": ({ field }) => `Exclusão do campo ${field}`,
      "statuses.set": () => "Alteração dos status",
      "untracked_fields.set": () => "Alteração dos campos mostrados nas linhas do tempo",
      "view.create": ({ view }) => `Criação ${viewInPortuguese(view)}`,
      "view.update": ({ view }) => `Alteração ${viewInPortuguese(view)}`,
      "view.delete": ({ view }) => `Exclusão ${viewInPortuguese(view)}`,
      "phones.read": ({ leads }) => `Nova leitura dos telefones de ${leads}`,
      undo: () => "Uma alteração foi desfeita",
    },
    other: "Alteração do projeto",
    undid: (title) => (title === undefined ? "Uma alteração foi desfeita" : `Desfeito: ${title}`),
    redid: (title) => (title === undefined ? "Algo desfeito foi refeito" : `Refeito: ${title}`),
    leads: (written, count) => (count === 0 ? "leads" : `${written} ${count === 1 ? "lead" : "leads"}`),
    aLead: "um lead",
    rows: (written, count) => (count === 0 ? "linhas" : `${written} ${count === 1 ? "linha" : "linhas"}`),
    events: (written, count) => (count === 1 ? "um evento" : count === 0 ? "eventos" : `${written} eventos`),
  },
};

/** The kinds of changes, for the filter. */
export const KIND_WORDS: Words<Named<ChangeKind>> = {
  en: {
    "lead.create": "Lead created",
    "lead.update": "Lead changed",
    "lead.upsert": "Lead created or changed",
    "lead.delete": "Lead deleted",
    "lead.restore": "Lead restored",
    "lead.merge": "Leads merged",
    "lead.erase": "Lead erased",
    "person.erase": "Person erased",
    bulk: "Many leads changed",
    "event.add": "Events recorded",
    import: "Import",
    "row.write": "Rows saved",
    "row.delete": "Rows deleted",
    "dataset.create": "Dataset created",
    "dataset.update": "Dataset changed",
    "dataset.delete": "Dataset deleted",
    "field.create": "Field created",
    "field.update": "Field changed",
    "field.delete": "Field deleted",
    "statuses.set": "Statuses changed",
    "untracked_fields.set": "Untracked fields changed",
    "view.create": "View saved",
    "view.update": "View changed",
    "view.delete": "View deleted",
    "phones.read": "Phone numbers read again",
    undo: "Undo",
  },
  "pt-BR": {
    "lead.create": "Lead criado",
    "lead.update": "Lead alterado",
    "lead.upsert": "Lead criado ou alterado",
    "lead.delete": "Lead excluído",
    "lead.restore": "Lead restaurado",
    "lead.merge": "Leads mesclados",
    "lead.erase": "Lead apagado",
    "person.erase": "Pessoa apagada",
    bulk: "Muitos leads alterados",
    "event.add": "Eventos registrados",
    import: "Importação",
    "row.write": "Linhas gravadas",
    "row.delete": "Linhas excluídas",
    "dataset.create": "Conjunto de dados criado",
    "dataset.update": "Conjunto de dados alterado",
    "dataset.delete": "Conjunto de dados excluído",
    "field.create": "Campo criado",
    "field.update": "Campo alterado",
    "field.delete": "Campo excluído",
    "statuses.set": "Status alterados",
    "untracked_fields.set": "Campos não registrados alterados",
    "view.create": "Visão salva",
    "view.update": "Visão alterada",
    "view.delete": "Visão excluída",
    "phones.read": "Telefones lidos novamente",
    undo: "Desfazer",
  },
};
