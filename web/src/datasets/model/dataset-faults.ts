import type { Fault } from "../../../../src/contract/basics/problem.ts";
import { CELL_FAULTS } from "../../words/cell-faults.ts";
import type { Locale, Words } from "../../words/use-words.ts";

/** Cell errors of datasets by code; each completes a sentence that starts with the column's name. */
const OWN: Words<Readonly<Record<string, string>>> = {
  en: { duplicate: "is already used in another row", required: "must not be empty" },
  "pt-BR": {
    duplicate: "já é usado em outra linha",
    required: "não pode ficar vazio",
    not_a_url: "deve ser uma URL, como https://exemplo.com.br",
    not_json: "deve ser um JSON válido",
    too_deep: "tem níveis de aninhamento demais",
    row_too_large: "excede 64 KB",
    lone_surrogate: "tem caracteres inválidos",
    read_only: "não pode ser alterado",
    unknown_column: "não é uma coluna deste conjunto",
    unknown_row: "não é uma linha deste conjunto",
    interrupted: "A alteração foi interrompida antes de verificar todas as linhas. Tente de novo.",
    repeated: "está repetido",
    reserved: "é um nome reservado",
    stale: "foi alterado nesse meio-tempo",
  },
};

/** Returns the text of a cell error in the user's language. */
export const faultText = (locale: Locale, { code, message }: Pick<Fault, "code" | "message">): string =>
  OWN[locale][code] ?? CELL_FAULTS[locale][code] ?? message;

/** Texts of refusals on these screens, by code. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: {
    changing: "The columns are already being changed. Try again when that is done.",
    stale: "Someone else has changed this dataset. Reload the page, then make your change again.",
  },
  "pt-BR": {
    changing: "As colunas já estão sendo alteradas. Tente de novo quando terminar.",
    rows_do_not_fit: "Há linhas incompatíveis com a nova coluna. Corrija-as primeiro.",
    key_taken: "Outro conjunto de dados já usa esta chave.",
    column_in_use: "Uma coluna a excluir é a coluna-chave ou o vínculo com leads. Escolha outra ou nenhuma.",
    stale: "Outra pessoa alterou este conjunto de dados. Recarregue a página e faça a alteração de novo.",
    too_many_datasets: "Um projeto pode ter no máximo 100 conjuntos de dados.",
  },
};
