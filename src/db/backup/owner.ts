import { randomUUID } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { checkedText, readChecked, valueIn, writeChecked } from "./files/checked-file.ts";
import type { Store } from "./store/store.ts";
import { openClient } from "./wal/client.ts";

/** The service that a folder of backups belongs to. */
export interface Owner {
  /** A random id, which is in the database; a restored database gets another one. */
  id: string;
  /** The system identifier of its PostgreSQL; null if the service may not read it. */
  system: string | null;
  /** The data folder of its embedded database; null for another database. */
  data_dir: string | null;
}

/** The key in `service_state` of the owner's id. */
export const BACKUP_OWNER = "backup_owner";

const FILE = "owner.json";

/** Returns who a database is as the owner of backups; its id is created at the first use. */
export async function ownerOf(url: string, dataDir: string | null): Promise<Owner> {
  const client = await openClient(url);
  try {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO leadgate.service_state AS state (key, value) VALUES ($1, $2)
       ON CONFLICT (key) DO UPDATE SET value = state.value RETURNING value AS id`,
      [BACKUP_OWNER, randomUUID()],
    );
    const system = await client
      .query<{ id: string }>("SELECT system_identifier::text AS id FROM pg_control_system()")
      .then((found) => found.rows[0]?.id ?? null)
      // insufficient_privilege: a provider may keep it from the role of the service.
      .catch(() => null);
    return { id: rows[0]?.id ?? "", system, data_dir: dataDir };
  } finally {
    await client.end();
  }
}

/**
 * Makes a folder that of a service's backups, or throws if it belongs to another service: two services in one folder would remove each
 * other's backups. A folder inside of a data folder belongs to its service.
 */
export async function claimFolder(folder: string, owner: Owner): Promise<void> {
  const path = join(folder, FILE);
  const known = await readOwner(path, owner);
  if (known.id === owner.id && known.data_dir === owner.data_dir) return;
  if (owner.data_dir !== null && isInside(folder, owner.data_dir)) return await writeChecked(path, owner);
  throw refusal(known, owner, { place: folder, path });
}

/**
 * Makes a store that of a service's backups, or throws if it belongs to another service. `folder` is a local one that the service
 * has claimed.
 */
export async function claimStore(
  store: Store,
  folder: string,
  { owner, signal }: { owner: Owner; signal?: AbortSignal | undefined },
): Promise<void> {
  const path = `${store.name}/${FILE}`;
  const read = async () => {
    const text = await store.readText(FILE, { signal });
    return text === undefined ? undefined : valueIn<Owner>(path, text);
  };
  let known = await read();
  if (known === undefined) {
    await store.putFirst(join(folder, FILE), FILE, { signal });
    // Another service may have been the first.
    known = await read();
  }
  if (known?.id === owner.id && known.data_dir === owner.data_dir) return;
  throw refusal(known ?? owner, owner, { place: store.name, path });
}

function refusal(known: Owner, owner: Owner, { place, path }: { place: string; path: string }): Error {
  const whose =
    known.data_dir === null ? "another database" : `the service with the data folder ${known.data_dir}`;
  const which =
    known.id === owner.id
      ? `This one, with the data folder ${owner.data_dir}, was moved or is a copy of it.`
      : "A service whose backups were restored counts as another one.";
  return new Error(
    `The backups in ${place} belong to ${whose}. ${which} Let BACKUPS or --to name a folder of its own. If the other service is gone for good, remove ${path}: then this one takes over its backups.`,
  );
}

/** Reads who owns a folder; if nobody does, the asking service owns it from now on. */
async function readOwner(path: string, owner: Owner): Promise<Owner> {
  const known = await readChecked<Owner>(path);
  if (known !== undefined) return known;
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(checkedText(owner));
    await file.sync();
    await file.close();
    return owner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return (await readChecked<Owner>(path)) ?? owner;
  }
}

const isInside = (folder: string, parent: string): boolean => {
  const way = relative(parent, folder);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
};
