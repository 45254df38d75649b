import type { Words } from "../../../core/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";

/** What an application wants to do, by operation; `count` is how many records it changes. */
type Deed = (count: string, one: boolean) => string;

interface ApprovalWords {
  title: string;
  wants(app: Html, deed: string, project: Html): Html;
  deeds: Record<string, Deed>;
  says: string;
  unchecked: string;
  until: string;
  left: string;
  record: string;
  event: string;
  entry: string;
  field: string;
  before: string;
  after: string;
  empty: string;
  yes: string;
  no: string;
  unnamed: string;
  outcomes: Record<string, string>;
  kinds: Record<string, string>;
  kept(fields: string): string;
  all: string;
  shown(shown: string, total: string): string;
  sample(shown: string, total: string): string;
  job: string;
  fails(count: number): string;
  changed: string;
  cannot: string;
  approve: string;
  decline: string;
  ready: string;
  undoable: string;
  states: Record<"running" | "done" | "failed" | "declined" | "expired", { title: string; text: string }>;
  see: string;
  history: string;
  missing: string;
}

/** The texts of the page of a proposal. */
export const APPROVAL_WORDS: Words<ApprovalWords> = {
  en: {
    title: "Approve this change?",
    wants: (app, deed, project) => html`${app} wants to ${deed} in ${project}.`,
    deeds: {
      "leads.create": () => "create a lead",
      "leads.create_once": () => "create a lead, or change one that exists",
      "leads.update": () => "change a lead",
      "leads.upsert": () => "create a lead, or change one that exists",
      "leads.delete": () => "delete a lead",
      "leads.restore": () => "restore a deleted lead",
      "leads.bulk": (count, one) => (one ? "change 1 lead" : `change ${count} leads`),
      "leads.bulk delete": (count, one) => (one ? "delete 1 lead" : `delete ${count} leads`),
      "leads.bulk restore": (count, one) =>
        one ? "restore 1 deleted lead" : `restore ${count} deleted leads`,
      "leads.bulk create": (count, one) => (one ? "create 1 lead" : `create ${count} leads`),
      "leads.bulk upsert": (count, one) =>
        one ? "create or change 1 lead" : `create or change ${count} leads`,
      "leads.merge": () => "merge two leads into one",
      "leads.unmerge": () => "separate two merged leads",
      "changes.undo": (count, one) =>
        one ? "undo an earlier change of 1 record" : `undo an earlier change of ${count} records`,
      "timeline.add": () => "add an event to a lead",
      "timeline.add_many": (count, one) => (one ? "add events to 1 lead" : `add events to ${count} leads`),
      "datasets.rows.write": (count, one) =>
        one ? "write 1 row of a dataset" : `write ${count} rows of a dataset`,
      "datasets.rows.delete": (count, one) =>
        one ? "delete 1 row of a dataset" : `delete ${count} rows of a dataset`,
      "datasets.create": () => "create a dataset",
      "views.create": () => "save a view",
    },
    says: "In its own words:",
    unchecked: "Nobody has checked these words. The table shows what would change.",
    until: "You can decide until",
    left: "left",
    record: "Record",
    event: "Event",
    entry: "Entry",
    field: "Field",
    before: "Before",
    after: "After",
    empty: "empty",
    yes: "Yes",
    no: "No",
    unnamed: "Without a name",
    outcomes: {
      created: "New",
      deleted: "Deleted",
      restored: "Restored",
      merged: "Stays, merged",
      merged_into: "Becomes part of the other one",
      recorded: "New event",
      withdrawn: "Event removed",
      kept: "Left alone",
    },
    kinds: { row: "Row", dataset: "Dataset", view: "View", field: "Field" },
    kept: (fields) => `Not put back, because it was changed since: ${fields}`,
    all: "the whole record",
    shown: (shown, total) => `The first ${shown} of ${total} records.`,
    sample: (shown, total) => `${shown} of ${total} records, as an example.`,
    job: "It takes a while and continues in the background.",
    fails: (count) =>
      count === 1
        ? "1 entry is wrong and would be left out:"
        : `${count} entries are wrong and would be left out:`,
    changed: "What would change is not what you saw. Check it again, then decide.",
    cannot: "This cannot be done any more:",
    approve: "Approve",
    decline: "Decline",
    ready: "You can now choose Approve.",
    undoable: "Afterwards you can undo it under History.",
    states: {
      running: {
        title: "Being done",
        text: "You approved this change, and it is being done. Reload this page to see how it ended.",
      },
      done: { title: "Done", text: "You approved this change, and it was done." },
      failed: { title: "Not done", text: "You approved this change, but it could not be done:" },
      declined: { title: "Declined", text: "You declined this change. Nothing was changed." },
      expired: {
        title: "Expired",
        text: "Nobody decided about this change in time. Nothing was changed. If you still want it, ask the application to propose it again.",
      },
    },
    see: "See what was changed, or undo it",
    history: "Open the history of the project",
    missing: "Something that it needs does not exist any more.",
  },
  "pt-BR": {
    title: "Aprovar esta alteração?",
    wants: (app, deed, project) => html`${app} quer ${deed} em ${project}.`,
    deeds: {
      "leads.create": () => "criar um lead",
      "leads.create_once": () => "criar um lead, ou alterar um existente",
      "leads.update": () => "alterar um lead",
      "leads.upsert": () => "criar um lead, ou alterar um existente",
      "leads.delete": () => "excluir um lead",
      "leads.restore": () => "restaurar um lead excluído",
      "leads.bulk": (count, one) => (one ? "alterar 1 lead" : `alterar ${count} leads`),
      "leads.bulk delete": (count, one) => (one ? "excluir 1 lead" : `excluir ${count} leads`),
      "leads.bulk restore": (count, one) =>
        one ? "restaurar 1 lead excluído" : `restaurar ${count} leads excluídos`,
      "leads.bulk create": (count, one) => (one ? "criar 1 lead" : `criar ${count} leads`),
      "leads.bulk upsert": (count, one) =>
        one ? "criar ou alterar 1 lead" : `criar ou alterar ${count} leads`,
      "leads.merge": () => "mesclar dois leads em um",
      "leads.unmerge": () => "separar dois leads mesclados",
      "changes.undo": (count, one) =>
        one ? "desfazer uma alteração de 1 registro" : `desfazer uma alteração de ${count} registros`,
      "timeline.add": () => "adicionar um evento a um lead",
      "timeline.add_many": (count, one) =>
        one ? "adicionar eventos a 1 lead" : `adicionar eventos a ${count} leads`,
      "datasets.rows.write": (count, one) =>
        one ? "gravar 1 linha de um conjunto de dados" : `gravar ${count} linhas de um conjunto de dados`,
      "datasets.rows.delete": (count, one) =>
        one ? "excluir 1 linha de um conjunto de dados" : `excluir ${count} linhas de um conjunto de dados`,
      "datasets.create": () => "criar um conjunto de dados",
      "views.create": () => "salvar uma visualização",
    },
    says: "Nas palavras dele:",
    unchecked: "Ninguém verificou estas palavras. A tabela mostra o que seria alterado.",
    until: "Você pode decidir até",
    left: "restantes",
    record: "Registro",
    event: "Evento",
    entry: "Item",
    field: "Campo",
    before: "Antes",
    after: "Depois",
    empty: "vazio",
    yes: "Sim",
    no: "Não",
    unnamed: "Sem nome",
    outcomes: {
      created: "Novo",
      deleted: "Excluído",
      restored: "Restaurado",
      merged: "Permanece, mesclado",
      merged_into: "Passa a fazer parte do outro",
      recorded: "Novo evento",
      withdrawn: "Evento removido",
      kept: "Fica como está",
    },
    kinds: { row: "Linha", dataset: "Conjunto de dados", view: "Visualização", field: "Campo" },
    kept: (fields) => `Não volta ao valor anterior, porque foi alterado depois: ${fields}`,
    all: "o registro inteiro",
    shown: (shown, total) => `Os primeiros ${shown} de ${total} registros.`,
    sample: (shown, total) => `${shown} de ${total} registros, como exemplo.`,
    job: "Demora um pouco e continua em segundo plano.",
    fails: (count) =>
      count === 1
        ? "1 item está errado e ficaria de fora:"
        : `${count} itens estão errados e ficariam de fora:`,
    changed: "O que seria alterado não é o que você viu. Confira de novo antes de decidir.",
    cannot: "Isto não pode mais ser feito:",
    approve: "Aprovar",
    decline: "Recusar",
    ready: "Agora você pode escolher Aprovar.",
    undoable: "Depois você pode desfazer em Histórico.",
    states: {
      running: {
        title: "Em andamento",
        text: "Você aprovou esta alteração, e ela está sendo feita. Recarregue a página para ver como terminou.",
      },
      done: { title: "Feito", text: "Você aprovou esta alteração, e ela foi feita." },
      failed: { title: "Não foi feito", text: "Você aprovou esta alteração, mas ela não pôde ser feita:" },
      declined: { title: "Recusada", text: "Você recusou esta alteração. Nada foi alterado." },
      expired: {
        title: "Expirada",
        text: "Ninguém decidiu sobre esta alteração a tempo. Nada foi alterado. Se você ainda a quiser, peça ao aplicativo que a proponha de novo.",
      },
    },
    see: "Ver o que foi alterado, ou desfazer",
    history: "Abrir o histórico do projeto",
    missing: "Algo de que ela precisa não existe mais.",
  },
};
