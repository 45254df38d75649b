import { test } from "node:test";
import { UNLIMITED } from "../datasets/support/dataset.ts";
import { world } from "../world.ts";
import { authors, playHistory } from "./support/play-histories.ts";
import { playRowHistory, rowAuthors } from "./support/play-row-histories.ts";

test("random histories of changes and undos end as in a plain model", async () => {
  await using the = await world(UNLIMITED);
  const keys = await authors(the);
  for (let seed = 1; seed <= 40; seed += 1) await playHistory(the, keys, seed);
});

test("random histories of rows end as in a plain model", async () => {
  await using the = await world(UNLIMITED);
  const keys = await rowAuthors(the);
  for (let seed = 1; seed <= 40; seed += 1) await playRowHistory(keys, seed);
});
