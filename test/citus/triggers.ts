import type { World } from "../world.ts";
import { type EveryNode, everyNode } from "./every-node.ts";

type TriggerKind = "TRIGGER" | "CONSTRAINT TRIGGER";

/**
 * Adds a trigger to a table of projects: when it runs, as in "BEFORE INSERT ON store.job FOR EACH ROW", and what it does, in PL/pgSQL.
 * Each statement is a message of its own, because Citus passes on the message that a statement came in.
 */
export async function addTrigger(
  the: World,
  name: string,
  when: string,
  does: string,
  kind: TriggerKind = "TRIGGER",
): Promise<void> {
  await the.sql(
    `CREATE FUNCTION store.${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${does} END $$`,
  );
  await the.sql(`CREATE ${kind} ${name} ${when} EXECUTE FUNCTION store.${name}()`);
}

/** Holds what a trigger meets, as in `addTrigger`, until the connections that are returned end. */
export async function heldUntilEnd(
  the: World,
  name: string,
  when: string,
  kind?: TriggerKind,
): Promise<EveryNode> {
  const holder = await everyNode(the);
  await holder.query("SELECT pg_advisory_lock(1)");
  await addTrigger(the, name, when, "PERFORM pg_advisory_xact_lock(1); RETURN NULL;", kind);
  return holder;
}
