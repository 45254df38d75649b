import { Refusal } from "../../../core/refusal.ts";
import type { Identifier } from "../identity/identifiers.ts";
import { countedAs } from "../identity/resolve.ts";
import { nounOf } from "./doubts.ts";
import type { Unwritten } from "./plan-upserts.ts";

/** Returns the refusal of a record that was not written. It names leads to callers who may read them, so that they can merge them or use an id. */
export function unwrittenRefusal({ outcome, among }: Unwritten, mayRead: boolean): Refusal {
  const [kind, code] = KINDS[outcome];
  const faults = among.map(({ identifier, id }) => ({
    path: `$.lead.${identifier.field}`,
    code: "candidate",
    message: id,
  }));
  return new Refusal(kind, code, messageOf(outcome, among, mayRead), mayRead ? { faults } : {});
}

const KINDS = {
  ambiguous: ["conflict", "ambiguous"],
  identity_conflict: ["conflict", "identity_conflict"],
  unexpected: ["stale", "lead_exists"],
  not_found: ["stale", "nothing_found"],
  unknown_id: ["not_found", "not_found"],
} as const;

/** Why a record was not written, in words. */
export function messageOf(
  outcome: Unwritten["outcome"],
  among: Unwritten["among"],
  mayRead: boolean,
): string {
  const by = among[0] === undefined ? "" : among[0].identifier.kind;
  const ids = among.map(({ id }) => id).join(", ");
  switch (outcome) {
    case "ambiguous":
      return mayRead
        ? `${countedAs(among.length)} leads have this ${by}: ${ids}. Merge them, or change one of them by its id.`
        : `Several leads have this ${by}. Use the id of one of them.`;
    case "identity_conflict": {
      if (!mayRead) return "What identifies this record belongs to different leads. Nothing was changed.";
      const [first = "", ...others] = among.map(
        ({ identifier, id }) => `the ${whose(identifier)} that of ${id}`,
      );
      const told = [first.replace(/^the (.*) that of/, "The $1 is that of"), ...others].join(", ");
      return `${told}. Nothing was changed. Correct the record, or merge the leads.`;
    }
    case "unexpected":
      return mayRead
        ? `A lead with this ${by} already exists: ${ids}. Nothing was changed.`
        : `A lead with this ${by} already exists. Nothing was changed.`;
    case "unknown_id":
      return "No lead has this id.";
    case "not_found":
      return "No lead was found, so none has the expected version. Nothing was created.";
  }
}

const whose = (identifier: Identifier): string =>
  identifier.field === "emails" || identifier.field === "phones"
    ? `further ${nounOf(identifier)}`
    : nounOf(identifier);
