import { Type } from "typebox";

/** The language that an answer's words are asked for in. */
export const LocaleInput = Type.Union([Type.Literal("en"), Type.Literal("pt-BR")], {
  description: "The language of labels and sentences; English where left out.",
});
