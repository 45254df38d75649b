import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewView } from "../../contract/views.ts";
import type { Permission } from "../../core/permission.ts";
import { createPerson } from "../../domain/accounts/people/create-person.ts";
import { createKey } from "../../domain/api-keys/create-key.ts";
import { importLeads } from "../../domain/imports/run/import-leads.ts";
import { perform } from "../../domain/operation/operation.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { addProject } from "../../domain/projects/create-project.ts";
import { addMember } from "../../domain/projects/members/add-member.ts";
import type { Credential } from "../../domain/tenancy/credential.ts";
import { createView } from "../../domain/views/create-view.ts";
import { listViews } from "../../domain/views/list-views.ts";
import { readContacts } from "./contacts-file.ts";
import { type Additions, demoCalls, demoContacts, demoMapping } from "./demo-contacts.ts";

/** What a demo folder stores, so that its next run prints the same. */
export interface Demo extends Partial<Additions> {
  email: string;
  password: string;
  projectId: string;
  key: string;
  imported: boolean;
}

const PERMISSIONS: Permission[] = ["leads:read", "leads:write", "datasets:read"];

/** The members who own leads, besides the demo's owner. */
const COLLEAGUES = ["Inês Carvalho", "Rui Martins", "Sofia Almeida"];

const COLUMNS: NonNullable<NewView["query"]["fields"]> = [
  "name",
  "status",
  "value",
  "owner_id",
  "campaign",
  "custom.job",
  "custom.age",
];

/** The saved views, the last one first in the panel. */
const VIEWS: readonly NewView[] = [
  {
    name: "Returning customers",
    query: {
      filter: { field: "custom.previous_outcome", op: "eq", value: "success" },
      fields: [
        ...COLUMNS,
        "custom.previous_calls",
        "custom.days_since_previous_campaign",
        "last_activity_at",
      ],
    },
  },
  {
    name: "Won in the last 30 days",
    query: {
      filter: {
        and: [
          { field: "status", op: "eq", value: "won" },
          { field: "last_activity_at", op: "in_last", value: { n: 30, unit: "day" } },
        ],
      },
      sort: [{ field: "last_activity_at", dir: "desc" }],
      fields: [...COLUMNS, "last_activity_at"],
    },
  },
  {
    name: "Open, by value",
    query: {
      filter: { field: "status", op: "in", value: ["new", "contacted", "qualified"] },
      sort: [{ field: "value", dir: "desc" }],
      fields: [...COLUMNS, "custom.calls", "last_activity_at"],
    },
  },
];

/**
 * Creates the missing parts of the demo: people, project, key, leads (of the file `contacts` if given, otherwise all of
 * them) and views.
 */
export async function prepareDemo(
  service: Service,
  folder: string,
  contacts: () => Promise<string> = readContacts,
): Promise<Demo> {
  const path = join(folder, "demo.json");
  const known = await readFile(path, "utf8").catch(() => undefined);
  const stored = known === undefined ? undefined : (JSON.parse(known) as Demo);
  if (stored?.imported === true) return stored;
  // an import that an earlier version left unfinished has other dates
  const { lastCall, owners } = stored ?? {};
  const demo =
    stored === undefined || lastCall === undefined || owners === undefined
      ? await create(service)
      : { ...stored, lastCall, owners };
  await save(path, demo);
  process.stdout.write("Importing the contacts…\n");
  const file = demoContacts(await contacts(), demo);
  const report = await importLeads(service, {
    projectId: demo.projectId,
    file: async function* () {
      yield file;
    },
    fileName: "bank-full.csv, dates shifted, owners and values added",
    mapping: demoMapping(),
    events: demoCalls,
    actor: { type: "cli", id: null, label: "demo" },
  });
  process.stdout.write(
    `${report.rows.toLocaleString("en")} rows: ${report.created.toLocaleString("en")} leads created, ${report.failed} failed\n`,
  );
  await addViews(service, demo);
  const done = { ...demo, imported: true };
  await save(path, done);
  return done;
}

async function create(service: Service): Promise<Demo & Additions> {
  const email = "demo@leadgate.example";
  const password = randomBytes(9).toString("base64url");
  const people = [
    { email, password, name: "Demo Owner" },
    ...COLLEAGUES.map((name, i) => ({
      ...{ name, email: `colleague-${i + 1}@leadgate.example` },
      password: randomBytes(18).toString("base64url"),
    })),
  ];
  const emails = people.map((each) => each.email);
  await service.db.query("DELETE FROM person WHERE lower(email) = ANY ($1::text[])", [emails]);
  const { projectId, owners } = await service.db.transaction(async (tx) => {
    const owners: string[] = [];
    for (const person of people) owners.push((await createPerson(tx, { ...person, verified: true })).id);
    const [ownerId = ""] = owners;
    const project = { name: "Bank demo, dates shifted", currency: "EUR", ownerId };
    return { projectId: await addProject(service, tx, project), owners };
  });
  for (const personId of owners.slice(1)) await addMember(service, { projectId, personId, role: "editor" });
  const { key } = await perform(
    service,
    createKey,
    { personId: null, projectId },
    { name: "demo", permissions: PERMISSIONS },
  );
  const [now] = await service.db.query<{ yesterday: string }>(
    "SELECT ((moment() AT TIME ZONE 'UTC')::date - 1)::text AS yesterday",
  );
  return { email, password, projectId, key, imported: false, lastCall: now?.yesterday ?? "", owners };
}

/** Adds the views that the project lacks, so that a run after a stop adds none twice. */
async function addViews(
  service: Service,
  { projectId, owners: [personId = ""] }: Demo & Additions,
): Promise<void> {
  const owner: Credential = { kind: "person", projectId, personId };
  const { json } = await perform(service, listViews, owner, { limit: 500 });
  const names = (JSON.parse(json) as { name: string }[]).map(({ name }) => name);
  for (const view of VIEWS) if (!names.includes(view.name)) await perform(service, createView, owner, view);
}

/** Writes the file atomically; it contains the demo's secrets, so only its owner may read it. */
async function save(path: string, demo: Demo): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(demo, null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
