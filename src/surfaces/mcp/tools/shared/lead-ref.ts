import { Type } from "typebox";
import { isId } from "../../../../core/id.ts";
import { type Fault, Refusal } from "../../../../core/refusal.ts";
import { queryLeads } from "../../../../domain/leads/read/query-leads.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import type { Call } from "../../protocol/registry.ts";
import { leadTitle } from "./lead-link.ts";

/** How a call names a lead: by what people know of it. */
export const leadRef = (description = "Id, e-mail, phone or full name.") =>
  Type.String({ minLength: 1, maxLength: 200, description });

/** How many leads that a name may mean are listed. */
const MOST = 5;
/** How many leads are looked up at once. */
const TOGETHER = 5;

interface Candidate {
  id: string;
  email?: string | null;
  phone?: string | null;
  city?: string | null;
  status?: string;
}

/** Returns the id of the lead that a text names. Refused if there is none or several, which are listed. */
export async function leadNamed(call: Call, text: string, path = "$.lead"): Promise<string> {
  const id = text.trim();
  if (isId("lead", id)) return id;
  const [only, ...others] = await candidatesOf(call, id);
  if (only === undefined) throw nobody(id, path);
  if (others.length > 0) throw several(id, [only, ...others], path);
  return only.id;
}

/** Returns the ids of several leads in order, or a refusal in the place of each that names none or several. */
export async function leadsNamed(
  call: Call,
  texts: readonly string[],
  pathOf: (index: number) => string,
): Promise<(string | Refusal)[]> {
  const known = new Map<string, Promise<string | Refusal>>();
  const found: (string | Refusal)[] = [];
  for (let start = 0; start < texts.length; start += TOGETHER) {
    const part = texts.slice(start, start + TOGETHER).map((text, i) => {
      const asked =
        known.get(text) ??
        leadNamed(call, text, pathOf(start + i)).catch((error: unknown) => {
          if (error instanceof Refusal && (error.code === "no_lead" || error.code === "several_leads"))
            return error;
          throw error;
        });
      known.set(text, asked);
      return asked;
    });
    found.push(...(await Promise.all(part)));
  }
  return found;
}

/** Returns how people know leads, in order; the id of one that cannot be read. */
export async function namesOfLeads({ service, caller }: Call, ids: readonly string[]): Promise<string[]> {
  const query = {
    filter: { field: "id", op: "in", value: ids },
    ...{ fields: KNOWN_BY, limit: ids.length, total: "none" },
  };
  const { json } = await perform(service, queryLeads, caller, query);
  const names = new Map((JSON.parse(json) as Candidate[]).map((lead) => [lead.id, leadTitle(lead)]));
  return ids.map((id) => names.get(id) ?? id);
}

const KNOWN_BY = ["id", "display_name", "email", "phone", "company", "city", "status"];

async function candidatesOf({ service, caller }: Call, text: string): Promise<Candidate[]> {
  const query = {
    filter: { or: conditionsOf(text) },
    fields: KNOWN_BY,
    limit: MOST + 1,
    total: "none",
  };
  const { json } = await perform(service, queryLeads, caller, query).catch((error: unknown) => {
    // Without a country, a number is found by its digits.
    if (!(error instanceof Refusal) || !error.faults.some(({ code }) => code === "not_a_phone")) throw error;
    const { filter: _, ...rest } = query;
    return perform(service, queryLeads, caller, { ...rest, search: text.replaceAll(/\D/g, "") });
  });
  return JSON.parse(json) as Candidate[];
}

function conditionsOf(text: string): object[] {
  if (text.includes("@"))
    return [
      { field: "email", op: "eq", value: text },
      { field: "emails", op: "has_any", value: [text] },
    ];
  if (/^[\d\s().+/-]{6,}$/.test(text))
    return [
      { field: "phone", op: "eq", value: text },
      { field: "phones", op: "has_any", value: [text] },
      { field: "external_id", op: "eq", value: text },
    ];
  const [first = "", ...rest] = text.split(/\s+/);
  const parts = [
    { field: "first_name", op: "eq", value: first },
    { field: "last_name", op: "eq", value: rest.join(" ") },
  ];
  return [
    { field: "name", op: "eq", value: text },
    { field: "external_id", op: "eq", value: text },
    ...(rest.length > 0 ? [{ and: parts }] : []),
  ];
}

const nobody = (text: string, path: string): Refusal =>
  new Refusal(
    "not_found",
    "no_lead",
    `No lead has the id, e-mail, phone or full name ${JSON.stringify(text)}.`,
    {
      faults: [{ path, code: "no_lead", message: "names no lead" }],
    },
  );

function several(text: string, found: readonly Candidate[], path: string): Refusal {
  const faults = found.slice(0, MOST).map(
    (lead): Fault => ({
      path,
      code: "candidate",
      message: toldApart(lead),
    }),
  );
  const count = found.length > MOST ? `More than ${MOST}` : found.length;
  const message = `${count} leads are called ${JSON.stringify(text)}.`;
  return new Refusal("conflict", "several_leads", message, { faults });
}

/** A lead by what tells it apart from those of the same name. */
const toldApart = (lead: Candidate): string =>
  [...new Set([lead.id, leadTitle(lead), lead.email, lead.phone, lead.city, lead.status])]
    .filter(Boolean)
    .join(", ");
