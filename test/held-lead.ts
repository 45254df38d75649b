import pg from "pg";
import type { KeyActor, World } from "./world.ts";

/** A lead whose row another connection has locked, so that its writes wait. */
interface HeldLead extends AsyncDisposable {
  id: string;
  /** The connection with the lock, inside its transaction. */
  holder: pg.Client;
}

/** Creates a lead and locks its row until `holder` commits, or until it is disposed. */
export async function heldLead(the: World, key: KeyActor): Promise<HeldLead> {
  const created = await key.send("POST", "/api/v1/leads", { name: "Ana" });
  const { id } = (await created.json()) as { id: string };
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM store.lead WHERE project_id = $1 AND id = $2 FOR UPDATE", [
    the.project.id,
    id,
  ]);
  return { id, holder, [Symbol.asyncDispose]: () => holder.end() };
}
