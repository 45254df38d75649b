import type { BulkOp } from "../../../contract/lists/bulk.ts";
import { isId } from "../../../core/id.ts";
import { malformed, notFound, Refusal } from "../../../core/refusal.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { type Identifier, identifiersOf, looksBy, matchOrder } from "../identity/identifiers.ts";
import { readNewLead } from "../write/create-lead.ts";
import type { Upsert } from "../write/plan-upserts.ts";
import { readLead, readNew } from "../write/read-lead.ts";
import { readValue } from "../write/read-value.ts";
import { addressesOf } from "../write/shared-addresses.ts";
import { checkExpected, identified } from "../write/upsert-lead.ts";
import type { BulkInput } from "./bulk-input.ts";

/** An item of a bulk change after reading: the change and its lead, or a refusal. */
export interface BulkItem extends Upsert {
  id: string;
  version?: number | undefined;
  /** The e-mails and phones that it gives a lead which it creates or changes by its id. */
  gives: readonly Identifier[];
  refusal?: Refusal;
}

/** Reads the items one by one, with faults under each item's path; throws what is wrong for all of them. */
export function readItems(input: BulkInput, items: readonly unknown[], schema: WritingSchema): BulkItem[] {
  const shared = sharedPatch(input, schema);
  const matchOn = matchOrder(input.match_on);
  const seen = new Set<string>();
  return items.map((item, place) => {
    const path = `$.items[${place}]`;
    try {
      if (input.op === "create" || input.op === "upsert") {
        const { expected, lead } =
          input.op === "create" ? { expected: {}, lead: item } : conditional(item, path);
        const read = readNew(lead, schema, path);
        const identifiers = identifiersOf(read, schema.country);
        // Without an identifier, no lead is there already.
        const isUnknown = !identifiers.some(({ kind }) => looksBy(matchOn).some((name) => name === kind));
        const isNew =
          input.op === "create" ||
          (expected.if_absent === true && isUnknown && typeof read.phone !== "string");
        const patch = isNew ? readNewLead(read, path) : identified(read, schema, matchOn, path);
        const { identifiers: gives } = addressesOf(patch, schema);
        return { place, id: "", patch, identifiers, gives, matchOn, expected };
      }
      const { id, version, fields } = named(item, path);
      if (seen.has(id))
        throw new Refusal("conflict", "repeated", `${path} names the same lead as an earlier item.`);
      seen.add(id);
      if (input.op !== "update" && Object.keys(fields).length > 0)
        throw malformed([{ path, code: "unknown_key", message: "must have only id and version" }]);
      const patch = shared ?? readLead(fields, schema, path);
      const { identifiers: gives } = addressesOf(patch, schema);
      return { place, id, version, patch, identifiers: [], gives };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { place, id: "", patch: {}, identifiers: [], gives: [], refusal: error };
    }
  });
}

/** The patch that all items share; undefined if each has its own. */
export function sharedPatch(
  { op, set, tags }: Pick<BulkInput, "op" | "set" | "tags">,
  schema: WritingSchema,
): LeadPatch | undefined {
  if (op === "set") return readLead(set, schema, "$.set");
  if (op === "delete" || op === "restore") return {};
  if (!isTagging(op)) return undefined;
  const reading = readValue("list", tags, schema);
  if ("value" in reading) return { tags: reading.value };
  throw malformed([{ path: "$.tags", code: reading.code, message: reading.message }]);
}

const isTagging = (op: BulkOp): boolean => op === "tag_add" || op === "tag_remove";

function named(item: unknown, path: string): { id: string; version: number | undefined; fields: object } {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    throw malformed([{ path, code: "type", message: "must be a JSON object" }]);
  const { id, version, ...fields } = item as { id?: unknown; version?: unknown };
  if (typeof id !== "string")
    throw malformed([{ path: `${path}.id`, code: "required", message: "must be a lead's id" }]);
  if (!isId("lead", id)) throw notFound("lead");
  return { id, version: versionOf(version, `${path}.version`), fields };
}

function versionOf(version: unknown, path: string): number | undefined {
  if (version === undefined) return version;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1 || version > 2_147_483_647)
    throw malformed([{ path, code: "type", message: "must be an integer, such as 3" }]);
  return version;
}

/** Separates the conditions of an upsert from the fields of its lead. */
function conditional(
  item: unknown,
  path: string,
): { expected: NonNullable<Upsert["expected"]>; lead: unknown } {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return { expected: {}, lead: item };
  const { if_version, if_absent, ...lead } = item as { if_version?: unknown; if_absent?: unknown };
  if (if_absent !== undefined && typeof if_absent !== "boolean")
    throw malformed([{ path: `${path}.if_absent`, code: "type", message: "must be true or false" }]);
  const expected = { if_version: versionOf(if_version, `${path}.if_version`), if_absent };
  checkExpected(expected, path);
  return { expected, lead };
}
