import type { Detail } from "../../api/api-error.ts";
import { CELL_FAULTS } from "../../words/cell-faults.ts";
import type { Locale, Words } from "../../words/use-words.ts";

/** What is wrong with a value, as part of a sentence after its column's name. */
const OWN: Words<Readonly<Record<string, string>>> = {
  en: { duplicate: "is already in another row", required: "must not be empty" },
  "pt-BR": {
    duplicate: "já existe em outra linha",
    required: "não pode ficar vazio",
    not_a_url: "não é um endereço como https://exemplo.com.br",
    not_json: "não é JSON válido",
    too_deep: "tem níveis demais",
    row_too_large: "passa de 64 KB",
    lone_surrogate: "tem caracteres inválidos",
    read_only: "não pode ser escrito",
    unknown_column: "não é uma coluna deste conjunto",
    unknown_row: "não é uma linha deste conjunto",
    interrupted: "A mudança foi interrompida antes de ver todas as linhas. Peça de novo.",
    repeated: "está repetido",
    reserved: "é um nome reservado",
    stale: "mudou nesse meio tempo",
  },
};

/** A fault of the service in the person's language. */
export const faultText = (locale: Locale, { code, message }: Pick<Detail, "code" | "message">): string =>
  OWN[locale][code] ?? CELL_FAULTS[locale][code] ?? message;

/** What refusals of the whole mean on these screens. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: {
    changing: "Another change of the columns is going through the rows. Try again when it is done.",
    stale: "Somebody changed this dataset meanwhile. Reload, and make your change again.",
  },
  "pt-BR": {
    changing: "Outra mudança das colunas está passando pelas linhas. Tente de novo quando terminar.",
    rows_do_not_fit: "Há linhas que não cabem no que a coluna seria. Mude-as primeiro.",
    key_taken: "Outro conjunto tem esta chave.",
    column_in_use: "Uma coluna a excluir acha linhas ou leads. Escolha outra, ou nenhuma.",
    stale: "Alguém alterou este conjunto nesse meio tempo. Recarregue e faça a mudança de novo.",
    too_many_datasets: "Um projeto tem no máximo 100 conjuntos.",
  },
};
