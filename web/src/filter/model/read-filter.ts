import { PICKS } from "../../../../src/contract/lists/operators.ts";
import type { Said } from "./filter.ts";
import { bareGroup, freshId, type Group, type Part } from "./part.ts";
import { isWhole } from "./write-filter.ts";

/** Anything nested deeper than filters may be is not parsed. */
const DEEPEST = 16;

type Json = Readonly<Record<string, unknown>>;

/** Returns a filter for editing; `writeFilter` turns it back into the same filter, whatever it was. */
export function readFilter(filter: unknown): Group {
  if (filter === undefined) return bareGroup();
  const part = readPart(filter, 0);
  return part.kind === "group" && part.nots === 0 ? part : bareGroup([part]);
}

/** Reads one part; an unknown form is kept raw. */
function readPart(json: unknown, depth = 0): Part {
  if (depth > DEEPEST || !isObject(json)) return { id: freshId(), nots: 0, kind: "raw", json };
  if (hasOnly(json, ["not"])) {
    const part = readPart(json.not, depth + 1);
    return { ...part, nots: part.nots + 1 };
  }
  const part =
    readGroup(json, depth) ??
    readCondition(json) ??
    readView(json) ??
    readEvent(json, depth) ??
    readDataset(json, depth);
  return part !== undefined && isWhole(part) ? part : { id: freshId(), nots: 0, kind: "raw", json };
}

function readGroup(json: Json, depth: number): Part | undefined {
  for (const join of ["and", "or"] as const) {
    const list = json[join];
    if (!hasOnly(json, [join]) || !Array.isArray(list)) continue;
    const parts = list.map((each: unknown) => readPart(each, depth + 1));
    return { id: freshId(), nots: 0, kind: "group", join, bare: false, parts };
  }
  return undefined;
}

function readCondition(json: Json): Part | undefined {
  const { field, op, value } = json;
  if (!isWithin(json, ["field", "op", "value"]) || typeof field !== "string" || typeof op !== "string")
    return undefined;
  const given = Object.hasOwn(json, "value") ? { value } : {};
  return { id: freshId(), nots: 0, kind: "condition", field, op, ...given };
}

function readView(json: Json): Part | undefined {
  const { view } = json;
  if (!hasOnly(json, ["view"]) || typeof view !== "string") return undefined;
  return { id: freshId(), nots: 0, kind: "view", view };
}

function readEvent(json: Json, depth: number): Part | undefined {
  const { event } = json;
  if (!hasOnly(json, ["event"]) || !isObject(event)) return undefined;
  if (!isWithin(event, ["type", "where", "occurred", "count", "pick"])) return undefined;
  const { type, occurred, count } = event;
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  if (!types.every((each) => typeof each === "string") || (Array.isArray(type) && type.length === 0))
    return undefined;
  if (!isSaid(occurred) || !isSaid(count)) return undefined;
  const pick = PICKS.find((each) => each === event.pick);
  if (Object.hasOwn(event, "pick") && pick === undefined) return undefined;
  return {
    ...{ id: freshId(), nots: 0, kind: "event", types, listed: Array.isArray(type) },
    where: whereOf(event, depth),
    ...(occurred === undefined ? {} : { occurred }),
    ...(count === undefined ? {} : { count }),
    ...(pick === undefined ? {} : { pick }),
  };
}

function readDataset(json: Json, depth: number): Part | undefined {
  const { dataset } = json;
  if (!hasOnly(json, ["dataset"]) || !isObject(dataset)) return undefined;
  const { key, count } = dataset;
  if (!isWithin(dataset, ["key", "where", "count"]) || typeof key !== "string") return undefined;
  if (!isSaid(count)) return undefined;
  return {
    ...{ id: freshId(), nots: 0, kind: "dataset", key, where: whereOf(dataset, depth) },
    ...(count === undefined ? {} : { count }),
  };
}

function whereOf(asked: Json, depth: number): Group {
  if (asked.where === undefined) return bareGroup();
  const part = readPart(asked.where, depth + 2);
  return part.kind === "group" && part.nots === 0 ? part : bareGroup([part]);
}

/** Whether a value is an operator with a value, or absent. */
const isSaid = (said: unknown): said is Said | undefined =>
  said === undefined || (isObject(said) && hasOnly(said, ["op", "value"]) && typeof said.op === "string");

const isObject = (json: unknown): json is Json =>
  typeof json === "object" && json !== null && !Array.isArray(json);

const isWithin = (json: Json, keys: readonly string[]): boolean =>
  Object.keys(json).every((key) => keys.includes(key));

const hasOnly = (json: Json, keys: readonly string[]): boolean =>
  Object.keys(json).length === keys.length && keys.every((key) => Object.hasOwn(json, key));
