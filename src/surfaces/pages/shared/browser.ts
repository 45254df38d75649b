import { browserNames } from "../../../core/browser-names.ts";
import type { Locale, Words } from "../../../core/locale.ts";

const WORDS: Words<{ unknown: string; on: string }> = {
  en: { unknown: "Unknown browser", on: "on" },
  "pt-BR": { unknown: "Navegador desconhecido", on: "no" },
};

const LONGEST = 60;

/**
 * Returns a browser in plain words (`Firefox on Linux`) from its User-Agent; an unknown one is shown cut,
 * otherwise unchanged.
 */
export function browserIn(locale: Locale, agent: string | null): string {
  const words = WORDS[locale];
  if (agent === null || agent.trim() === "") return words.unknown;
  const { browser, system } = browserNames(agent);
  if (browser === undefined) return agent.length > LONGEST ? `${agent.slice(0, LONGEST)}…` : agent;
  return system === undefined ? browser : `${browser} ${words.on} ${system}`;
}
