import { test } from "node:test";
import { large } from "../large.ts";
import { authors, playHistory } from "./support/play-histories.ts";
import { playRowHistory, rowAuthors } from "./support/play-row-histories.ts";
import { played } from "./support/played.ts";

const leads = (seeds: number) => played(seeds, authors, playHistory);
const rows = (seeds: number) => played(seeds, rowAuthors, (_, keys, seed) => playRowHistory(keys, seed));

test("random histories of identities, merges, imports and undos end as in a plain model", () => leads(12));
large("80 random histories of identities, merges, imports and undos end as in a plain model", () =>
  leads(80),
);
test("random histories of rows end as in a plain model", () => rows(12));
large("80 random histories of rows end as in a plain model", () => rows(80));
