import { createContext, use } from "react";
import type { Locale, Words } from "../../../src/core/locale.ts";

export type { Locale, Words };

/** The person's language. */
export const LocaleContext = createContext<Locale>("en");

export const useLocale = (): Locale => use(LocaleContext);

/** Returns a component's words in the person's language: `const words = useWords(WORDS)`. */
export const useWords = <W>(words: Words<W>): W => words[useLocale()];

/** Texts by name: those in `K` are all there, any other name can be looked up. */
export type Named<K extends string, W = string> = Readonly<Record<K, W>> &
  Readonly<Record<string, W | undefined>>;
