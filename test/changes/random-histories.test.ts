import { test } from "node:test";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { authors, playHistory } from "./support/play-histories.ts";
import { playRowHistory, rowAuthors } from "./support/play-row-histories.ts";

/** Plays the histories of so many seeds. */
async function changes(seeds: number): Promise<void> {
  await using the = await world();
  const keys = await authors(the);
  for (let seed = 1; seed <= seeds; seed += 1) await playHistory(the, keys, seed);
}

async function rows(seeds: number): Promise<void> {
  await using the = await world();
  const keys = await rowAuthors(the);
  for (let seed = 1; seed <= seeds; seed += 1) await playRowHistory(keys, seed);
}

test("random histories of changes and undos end as in a plain model", () => changes(15));
large("40 random histories of changes and undos end as in a plain model", () => changes(40));
test("random histories of rows end as in a plain model", () => rows(15));
large("40 random histories of rows end as in a plain model", () => rows(40));
