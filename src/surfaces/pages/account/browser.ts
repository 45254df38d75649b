import { browserNames } from "../../../core/browser-names.ts";
import type { Locale } from "../../../core/locale.ts";
import { ACCOUNT_WORDS } from "./words.ts";

const LONGEST = 60;

/**
 * Returns a browser in plain words (`Firefox on Linux`) from its User-Agent; an unknown one is shown cut,
 * otherwise unchanged.
 */
export function browserIn(locale: Locale, agent: string | null): string {
  const words = ACCOUNT_WORDS[locale];
  if (agent === null || agent.trim() === "") return words.unknown;
  const { browser, system } = browserNames(agent);
  if (browser === undefined) return agent.length > LONGEST ? `${agent.slice(0, LONGEST)}…` : agent;
  return system === undefined ? browser : `${browser} ${words.on} ${system}`;
}
