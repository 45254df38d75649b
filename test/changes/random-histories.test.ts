import { test } from "node:test";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { authors, playHistory } from "./support/play-histories.ts";
import { playRowHistory, rowAuthors } from "./support/play-row-histories.ts";

/** Plays the histories of so many seeds; HISTORIES=601-700 plays these instead. */
async function played(seeds: number, play: (seed: number) => Promise<void>): Promise<void> {
  const [first = 1, last = seeds] = (process.env.HISTORIES ?? "").split("-").filter(Boolean).map(Number);
  const failed: string[] = [];
  for (let seed = first; seed <= last; seed += 1)
    await play(seed).catch((error: Error) => failed.push(error.message));
  if (failed.length > 0) throw new Error(`${failed.length} histories\n${failed.join("\n\n")}`);
}

async function changes(seeds: number): Promise<void> {
  await using the = await world();
  const keys = await authors(the);
  await played(seeds, (seed) => playHistory(the, keys, seed));
}

async function rows(seeds: number): Promise<void> {
  await using the = await world();
  const keys = await rowAuthors(the);
  await played(seeds, (seed) => playRowHistory(keys, seed));
}

test("random histories of changes and undos end as in a plain model", () => changes(12));
large("80 random histories of changes and undos end as in a plain model", () => changes(80));
test("random histories of rows end as in a plain model", () => rows(12));
large("80 random histories of rows end as in a plain model", () => rows(80));
