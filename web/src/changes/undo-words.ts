import type { KeptReason } from "../../../src/contract/lists/changes.ts";
import type { Words } from "../words/use-words.ts";

interface UndoWords
  extends Record<"undo" | "undone" | "nothingBack" | "stopped" | "history" | "someone", string> {
  leads(count: number, written: string): string;
  records(count: number, written: string): string;
  /** Why records were kept, as a clause behind their number. `who` changed them, so many people. */
  kept: Record<KeptReason, (count: number, who: string, people: number) => string>;
  except(kept: string): string;
  nothing(kept: string): string;
  stays(kept: string, count: number): string;
  /** For records of which only a part is kept. */
  partly(kept: string, count: number): string;
  far(done: string, total: string): string;
  /** To clear the opt-outs that an undo keeps. */
  clearToo: string;
  clearingRisk: string;
}

/** The words of an undo, wherever one is offered. */
export const UNDO_WORDS: Words<UndoWords> = {
  en: {
    undo: "Undo",
    undone: "Undone",
    nothingBack: "There was nothing left to undo",
    stopped: "The undo stopped before its end. Undo the change again to continue.",
    history: "History",
    someone: "someone",
    leads: (count, written) => `${written} ${count === 1 ? "lead" : "leads"}`,
    records: (count, written) => `${written} ${count === 1 ? "record" : "records"}`,
    kept: {
      changed_since: (_, who) => `that ${who} changed since`,
      has_events: () => "that got events since",
      deleted: (count) => `that ${count === 1 ? "was" : "were"} deleted since`,
      merged: (count) => `that ${count === 1 ? "was" : "were"} merged since`,
      gone: (count) => `that no longer ${count === 1 ? "exists" : "exist"}`,
      taken: () => "whose former value another record has now",
      does_not_fit: () => "whose former value no longer fits its field",
      opt_out: (count) => `that ${count === 1 ? "keeps its opt-out" : "keep their opt-outs"}`,
    },
    except: (kept) => `Undone, except ${kept}`,
    nothing: (kept) => `Nothing was undone. This was kept: ${kept}`,
    stays: (kept, count) => `${kept} ${count === 1 ? "stays as it is" : "stay as they are"}.`,
    partly: (kept, count) => `${kept} ${count === 1 ? "keeps" : "keep"} what was changed since.`,
    far: (done, total) => `Undoing… ${done} of ${total}`,
    clearToo: "Clear the opt-outs, too",
    clearingRisk: "People who asked not to be contacted may then be contacted again.",
  },
  "pt-BR": {
    undo: "Desfazer",
    undone: "Desfeito",
    nothingBack: "Não havia mais nada a desfazer",
    stopped: "O processo parou antes do fim. Desfaça a alteração de novo para continuar.",
    history: "Histórico",
    someone: "alguém",
    leads: (count, written) => `${written} ${count === 1 ? "lead" : "leads"}`,
    records: (count, written) => `${written} ${count === 1 ? "registro" : "registros"}`,
    kept: {
      changed_since: (_, who, people) => `que ${who} ${people > 1 ? "alteraram" : "alterou"} depois`,
      has_events: (count) => `que ${count === 1 ? "recebeu" : "receberam"} eventos depois`,
      deleted: (count) => `que ${count === 1 ? "foi excluído" : "foram excluídos"} depois`,
      merged: (count) => `que ${count === 1 ? "foi mesclado" : "foram mesclados"} depois`,
      gone: (count) => `que não ${count === 1 ? "existe" : "existem"} mais`,
      taken: () => "cujo valor anterior agora é de outro registro",
      does_not_fit: () => "cujo valor anterior não cabe mais no campo",
      opt_out: (count) => `que ${count === 1 ? "mantém" : "mantêm"} o opt-out`,
    },
    except: (kept) => `Desfeito, exceto ${kept}`,
    nothing: (kept) => `Nada foi desfeito. Foi mantido: ${kept}`,
    stays: (kept, count) => `${kept} ${count === 1 ? "fica como está" : "ficam como estão"}.`,
    partly: (kept, count) => `${kept} ${count === 1 ? "mantém" : "mantêm"} o que mudou depois.`,
    far: (done, total) => `Desfazendo… ${done} de ${total}`,
    clearToo: "Remover também os opt-outs",
    clearingRisk: "Pessoas que pediram para não ser contatadas poderão ser contatadas de novo.",
  },
};

/** The service's refusals of an undo, by code. */
export const UNDO_REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: { view_used: "Other views use this one. Change them first." },
  "pt-BR": {
    not_yours:
      "Esta alteração não é sua. Só quem a fez, um proprietário ou um administrador pode desfazê-la.",
    already_undone: "Esta alteração já foi desfeita.",
    still_running: "Esta alteração ainda está em andamento. Pare-a primeiro, ou aguarde.",
    values_gone: "Os valores anteriores não estão mais guardados, então não é possível desfazer.",
    irreversible: "O que foi removido não existe mais. Não é possível desfazer.",
    view_used: "Outras visões usam esta. Altere-as primeiro.",
    too_many_jobs: "Muitas alterações já esperam para ser desfeitas. Aguarde até que uma termine.",
  },
};
