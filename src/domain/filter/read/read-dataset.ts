import { fieldFinder, rowFields } from "../../fields/row-field.ts";
import { bad, quoted } from "../../values/bad-input.ts";
import type { DatasetCondition, Filter } from "../tree/filter.ts";
import { readCount } from "./read-event.ts";
import { attempt, type Reading } from "./reading.ts";

const KEYS = ["key", "where", "count"];

/** Reads `{"key", "where", "count"}`, of which only the key is required; `readPart` reads filters. */
export function readDataset(
  asked: unknown,
  reading: Reading,
  path: string,
  readPart: (node: unknown, reading: Reading, path: string) => Filter,
): DatasetCondition {
  if (typeof asked !== "object" || asked === null || Array.isArray(asked))
    bad(path, "type", 'must be {"key", "where", "count"}');
  const given = asked as Record<string, unknown>;
  for (const key of Object.keys(given)) {
    if (!KEYS.includes(key))
      attempt(reading, () =>
        bad(
          `${path}.${key.slice(0, 60)}`,
          "unknown_key",
          `is not a known key; the known keys are ${KEYS.join(", ")}`,
        ),
      );
  }
  const { key } = given;
  if (typeof key !== "string") bad(`${path}.key`, "required", "must be the key of a dataset");
  const dataset = reading.schema.datasets.get(key);
  if (dataset === undefined)
    bad(`${path}.key`, "unknown_dataset", `${quoted(key)} is not a dataset of this project`);
  const link = dataset.lead_link;
  if (link === null)
    bad(`${path}.key`, "not_linked", `${quoted(key)} has no lead_link, so its rows are not linked to leads`);
  const part = <T>(name: string, read: (value: unknown, at: string) => T): T | undefined =>
    Object.hasOwn(given, name) ? attempt(reading, () => read(given[name], `${path}.${name}`)) : undefined;
  const find = fieldFinder(rowFields(dataset), key);
  const where = part("where", (value, at) => readPart(value, { ...reading, find, inside: "row" }, at));
  return {
    kind: "dataset",
    name: dataset.name,
    id: dataset.id,
    link,
    merged: dataset.merged === true,
    count: part("count", readCount) ?? { least: 1, negated: false, said: { op: "gte", value: 1 } },
    ...(where === undefined ? {} : { where }),
  };
}
