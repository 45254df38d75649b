import { randomBytes } from "node:crypto";
import { createPerson } from "../../../src/domain/accounts/people/create-person.ts";
import { createKey } from "../../../src/domain/api-keys/create-key.ts";
import { perform } from "../../../src/domain/operation/operation.ts";
import { createProjectFor } from "../../../src/domain/projects/create-project.ts";
import { addMember } from "../../../src/domain/projects/members/add-member.ts";
import { backdated } from "./backdate.ts";
import { changeAfterwards } from "./changes.ts";
import { clockOf, TIMEZONE } from "./clock.ts";
import { type Person, signedIn } from "./person.ts";
import { MEMBERS, type MemberName, type PlantedLead, STATUSES, type Story } from "./planted.ts";
import type { Program } from "./program.ts";

interface Account {
  id: string;
  email: string;
  password: string;
}

/** A planted project: the ids that it was given. */
export interface Planted {
  projectId: string;
  members: Record<MemberName, Account>;
  /** The ids of leads by their keys. */
  leads: Record<string, string>;
}

const BATCH = 500;

export const VIEW_NAME = "Propostas abertas em São Paulo";
/** Leads of the view are worth at least this. */
export const VIEW_VALUE = 5_000;

const FIELDS = [
  { key: "plan", label: "Plano", type: "enum", options: ["Básico", "Profissional", "Empresarial"] },
  { key: "employees", label: "Funcionários", type: "integer" },
];

const VISITS = {
  ...{ key: "visits", name: "Visitas", key_column: "visit_no" },
  columns: [
    { key: "visit_no", label: "Visita nº", type: "text" },
    { key: "email", label: "E-mail", type: "email" },
    { key: "visited_on", label: "Data", type: "date" },
    { key: "minutes", label: "Minutos", type: "integer" },
    { key: "seller", label: "Vendedor", type: "text" },
    { key: "place", label: "Local", type: "text" },
  ],
  lead_link: { column: "email", match: "email" },
};

/** Fills a new project through the service, as its members and as a program that imports. */
export async function plant(program: Program, story: Story): Promise<Planted> {
  const clock = clockOf(story.now);
  const members = await makeMembers(program);
  const { id: projectId } = await createProjectFor(program.service, members.marina.id, {
    ...{ name: "Aurora Móveis", timezone: TIMEZONE, country: "BR", currency: "BRL" },
  });
  for (const [name, { role }] of Object.entries(MEMBERS)) {
    const personId = members[name as MemberName].id;
    if (role !== "owner") await addMember(program.service, { projectId, personId, role });
  }
  const people = {} as Record<MemberName, Person>;
  for (const name of Object.keys(MEMBERS) as MemberName[])
    people[name] = await signedIn(program.authUrl, projectId, members[name]);
  const when = (at: Date, work: () => Promise<void>) => backdated(program.sql, projectId, at, work);
  const leads: Record<string, string> = {};
  await when(clock.at(21, "09:00"), async () => {
    await people.marina.call("PUT", "/statuses", { statuses: STATUSES });
    for (const field of FIELDS) await people.marina.call("POST", "/fields", field);
  });
  await when(clock.at(20, "08:00"), async () => {
    const send = await importer(program, projectId);
    await addLeads(send, story.leads, members, leads);
    await addEvents(send, story.leads, leads);
    await people.marina.call("POST", "/datasets", VISITS);
    await people.marina.call("POST", "/datasets/visits/rows/batch", { rows: story.visits, mode: "insert" });
    await people.marina.call("POST", "/views", { name: VIEW_NAME, query: { filter: VIEW_FILTER } });
  });
  await forgetImport(program, projectId);
  await changeAfterwards({ people, members, leads, clock, when });
  return { projectId, members, leads };
}

const VIEW_FILTER = {
  and: [
    { field: "status", op: "eq", value: "Proposta" },
    { field: "city", op: "eq", value: "São Paulo" },
    { field: "value", op: "gte", value: VIEW_VALUE },
  ],
};

async function makeMembers({ service }: Program): Promise<Record<MemberName, Account>> {
  const made: Partial<Record<MemberName, Account>> = {};
  for (const [key, { name }] of Object.entries(MEMBERS)) {
    const account = { email: `${key}@aurora.example`, password: randomBytes(12).toString("base64url") };
    const { id } = await createPerson(service.db, { ...account, name, verified: true });
    made[key as MemberName] = { ...account, id };
  }
  return made as Record<MemberName, Account>;
}

type Send = (path: string, body: object) => Promise<Record<string, unknown>>;

/** Returns a function that calls the REST API with a key of its own. */
async function importer({ service, baseUrl }: Program, projectId: string): Promise<Send> {
  const permissions = ["leads:read", "leads:write"] as const;
  const asked = { name: "CRM import", permissions };
  const { key } = await perform(service, createKey, { personId: null, projectId }, asked);
  return async (path, body) => {
    const answer = await fetch(`${baseUrl}/api/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const read = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok || Number(read.failed) > 0)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(read).slice(0, 2_000)}`);
    return read;
  };
}

async function addLeads(
  send: Send,
  leads: readonly PlantedLead[],
  members: Record<MemberName, Account>,
  ids: Record<string, string>,
): Promise<void> {
  for (const batch of batchesOf(leads)) {
    const items = batch.map(({ key: _, owner, createdAt, plan, employees, events: __, ...fields }) => ({
      ...fields,
      ...{
        created_at: createdAt.toISOString(),
        country: "Brasil",
        currency: "BRL",
        custom: { plan, employees },
      },
      owner_id: owner === null ? null : members[owner].id,
    }));
    const { results } = await send("/leads/bulk", { op: "create", items });
    (results as { id: string }[]).forEach(({ id }, n) => {
      const key = batch[n]?.key;
      if (key !== undefined) ids[key] = id;
    });
  }
}

async function addEvents(
  send: Send,
  leads: readonly PlantedLead[],
  ids: Record<string, string>,
): Promise<void> {
  const events = leads.flatMap(({ key, events }) =>
    events.map(({ at, ...event }) => ({
      lead_id: ids[key],
      occurred_at: at.toISOString(),
      source: "crm",
      ...event,
    })),
  );
  for (const batch of batchesOf(events)) await send("/events/batch", { events: batch });
}

/** Removes the former values of the import, as the service does with old changes: copies need not have them. */
async function forgetImport({ sql }: Program, projectId: string): Promise<void> {
  await sql("DELETE FROM store.change_item WHERE project_id = $1", [projectId]);
  await sql("UPDATE store.change SET items_gone_at = created_at, bytes = 0 WHERE project_id = $1", [
    projectId,
  ]);
}

function* batchesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += BATCH) yield list.slice(from, from + BATCH);
}
