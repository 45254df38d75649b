import type { ColumnType } from "../../../src/contract/lists/column-types.ts";
import type { FieldType } from "../../../src/contract/lists/operators.ts";
import type { Words } from "./use-words.ts";

/** Names of the types of standard fields, custom fields and columns. */
export const TYPE_WORDS: Words<Readonly<Record<ColumnType | FieldType, string>>> = {
  en: {
    text: "Text",
    integer: "Whole number",
    number: "Number",
    boolean: "Yes/No",
    date: "Date",
    datetime: "Date and time",
    email: "E-mail",
    phone: "Phone",
    url: "URL",
    enum: "Single select",
    json: "JSON",
    id: "ID",
    tags: "Tags",
    object: "Custom fields",
  },
  "pt-BR": {
    text: "Texto",
    integer: "Número inteiro",
    number: "Número",
    boolean: "Sim/Não",
    date: "Data",
    datetime: "Data e hora",
    email: "E-mail",
    phone: "Telefone",
    url: "URL",
    enum: "Seleção única",
    json: "JSON",
    id: "ID",
    tags: "Tags",
    object: "Campos personalizados",
  },
};
