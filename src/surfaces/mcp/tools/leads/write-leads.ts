import { type Static, Type } from "typebox";
import type { Refusal } from "../../../../core/refusal.ts";
import { type Fault, malformed, Refusal as Refused } from "../../../../core/refusal.ts";
import { bulkLeads } from "../../../../domain/leads/bulk/bulk-leads.ts";
import type { Call } from "../../protocol/registry.ts";
import { itemsAnswer } from "../shared/items-answer.ts";
import { leadsNamed } from "../shared/lead-ref.ts";
import { withOwners } from "../shared/owners.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, oneOf, open } from "../shared/words.ts";
import { worked } from "../shared/writing.ts";

type Item = Record<string, unknown>;

const Input = exactly({
  action: oneOf(
    ["create", "upsert", "update"],
    "create fails if such a lead is there, and names it; upsert changes it.",
  ),
  leads: Type.Array(
    open(
      "Fields by name, as in find_leads; custom: {key: value}; null clears. For update: id (or e-mail, phone, full name), " +
        "and version to fail if it changed since.",
    ),
    { minItems: 1, maxItems: 200 },
  ),
  fill: Type.Optional(Type.Boolean({ description: "Only what is empty." })),
});

/** Writes each lead by itself: an invalid one does not affect the others. All of them are one change. */
export const writeLeadsTool = composedTool({
  name: "write_leads",
  title: "Create and change leads",
  description: "Creates or changes up to 200 leads, each by its own fields; a bad one stops no other.",
  input: Input,
  needs: "leads:write",
  alsoNeeds: "leads:read",
  view: VIEWS.change,
  destructive: true,
  idempotent: false,
  path: (path) => path.replace(/^\$\.items/, "$.leads"),
  check: ({ action, fill }) =>
    fill !== undefined && action !== "upsert"
      ? [{ path: "$.fill", code: "unexpected", message: "is allowed only for upsert" }]
      : [],
  async run(call, { action, leads, fill }) {
    const items = await withIds(
      call,
      action,
      await withOwners(call, leads as Item[], (i) => `$.leads[${i}]`),
    );
    const known = items.flatMap((item, index) => (item instanceof Refused ? [] : [{ item, index }]));
    const failed = items.flatMap((item, index) =>
      item instanceof Refused ? [{ index, refusal: item }] : [],
    );
    if (known.length === 0) throw failed[0]?.refusal ?? malformed([]);
    const input = {
      op: action === "create" ? "upsert" : action,
      ...(fill === undefined ? {} : { fill }),
      items: known.map(({ item }) => (action === "create" ? { ...item, if_absent: true } : item)),
    };
    const [verb, count] = [
      { create: "Create", upsert: "Create or change", update: "Change" }[action],
      leads.length,
    ];
    return await worked(call, {
      operation: bulkLeads,
      input,
      // A new lead has the values that were sent.
      shows: action !== "create",
      title: `${verb} ${count === 1 ? "a lead" : `${count} leads`}`,
      toAnswer(done) {
        if (!("results" in done)) throw new Error("a change of items answered no items");
        const results = done.results.map((result, i) => ({ ...result, index: known[i]?.index ?? i }));
        return itemsAnswer(results, failed);
      },
    });
  },
});

/** The items with the ids of the leads that they name; a refusal in the place of one that names none or several. */
async function withIds(
  call: Call,
  action: Static<typeof Input>["action"],
  items: readonly Item[],
): Promise<(Item | Refusal)[]> {
  if (action !== "update") return [...items];
  const missing = items.flatMap(({ id }, i): Fault[] =>
    typeof id === "string" && id.trim() !== ""
      ? []
      : [
          {
            path: `$.leads[${i}].id`,
            code: "required",
            message: "is required for update: id, e-mail, phone or full name",
          },
        ],
  );
  if (missing.length > 0) throw malformed(missing.slice(0, 20));
  const ids = await leadsNamed(
    call,
    items.map(({ id }) => String(id)),
    (i) => `$.leads[${i}].id`,
  );
  return items.map((item, i) => {
    const id = ids[i];
    return id instanceof Refused ? id : { ...item, id };
  });
}
