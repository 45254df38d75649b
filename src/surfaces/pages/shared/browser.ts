import type { Locale, Words } from "../../../core/locale.ts";

const WORDS: Words<{ unknown: string; on: string }> = {
  en: { unknown: "Unknown browser", on: "on" },
  "pt-BR": { unknown: "Navegador desconhecido", on: "no" },
};

// Order matters: browsers name those they descend from before themselves.
const BROWSERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdgA?(?:iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, "Safari"],
];

const SYSTEMS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bWindows\b/, "Windows"],
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const LONGEST = 60;

/**
 * Returns a browser in plain words (`Firefox on Linux`) from its User-Agent; an unknown one is shown cut,
 * otherwise unchanged.
 */
export function browserIn(locale: Locale, agent: string | null): string {
  const words = WORDS[locale];
  if (agent === null || agent.trim() === "") return words.unknown;
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined) return agent.length > LONGEST ? `${agent.slice(0, LONGEST)}…` : agent;
  return system === undefined ? browser : `${browser} ${words.on} ${system}`;
}
