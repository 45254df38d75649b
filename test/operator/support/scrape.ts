import { setTimeout as sleep } from "node:timers/promises";

/** Returns what an instance shows at /metrics. */
export const scrape = async (url: string): Promise<string> => await (await fetch(`${url}/metrics`)).text();

/** Returns the sum of the series whose line begins so; 0 without any. */
export const sum = (text: string, start: string): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(start))
    .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);

/** Returns the names of the service's own metrics that a scrape declares. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (leadgate_\w+)/gm)].map(([, name = ""]) => name).sort();

/** Returns the series of the service's own metrics, without their values. */
export const seriesIn = (text: string): Set<string> =>
  new Set(
    text
      .split("\n")
      .filter((line) => line.startsWith("leadgate_"))
      .map((line) => line.slice(0, line.lastIndexOf(" "))),
  );

/** Scrapes until the series that begin so have more than `before` together; returns that scrape. */
export async function scrapeAbove(url: string, start: string, before: number): Promise<string> {
  for (;;) {
    const text = await scrape(url);
    if (sum(text, start) > before) return text;
    await sleep(20);
  }
}
