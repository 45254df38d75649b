import type { Words } from "../../words/use-words.ts";

export const SHOW_ALL: Words<(count: string) => string> = {
  en: (count) => `Show all ${count}`,
  "pt-BR": (count) => `Mostrar todos: ${count}`,
};
