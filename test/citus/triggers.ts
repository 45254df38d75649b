import type { World } from "../world.ts";

/**
 * Adds a trigger to a table of projects: when it runs, as in "BEFORE INSERT ON store.job FOR EACH ROW", and what it does, in PL/pgSQL.
 * Each statement is a message of its own, because Citus passes on the message that a statement came in.
 */
export async function addTrigger(
  the: World,
  name: string,
  when: string,
  does: string,
  kind: "TRIGGER" | "CONSTRAINT TRIGGER" = "TRIGGER",
): Promise<void> {
  await the.sql(
    `CREATE FUNCTION store.${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${does} END $$`,
  );
  await the.sql(`CREATE ${kind} ${name} ${when} EXECUTE FUNCTION store.${name}()`);
}
