import type { Words } from "./use-words.ts";

/** The service's cell errors in Portuguese (its messages are English). */
export const CELL_FAULTS: Words<Readonly<Record<string, string>>> = {
  en: {},
  "pt-BR": {
    not_an_email: "não é um endereço de e-mail",
    not_a_phone: "não é um número de telefone",
    scientific_notation: "foi arredondado por uma planilha; os dígitos se perderam",
    not_a_number: "não é um número",
    not_an_integer: "não é um número inteiro",
    not_a_boolean: "deve ser sim ou não",
    not_a_date: "não é uma data",
    not_a_datetime: "não é uma data com hora",
    unknown_option: "não é uma das opções do campo",
    too_long: "é longo demais",
    too_many: "tem itens demais",
    nul: "contém um caractere NUL",
    column_count: "tem um número de células diferente do cabeçalho",
    ambiguous: "corresponde a vários leads do projeto",
    external_id_taken: "é o ID externo de outro lead",
    too_early: "é anterior a 1970",
    in_future: "está no futuro",
    unknown_lead: "nenhum lead do projeto tem este ID",
    required: "é obrigatório",
    taken: "já existe em outra linha",
    not_unique: "já existe em outra linha",
    exists: "já existe",
    not_found: "não existe",
  },
};
