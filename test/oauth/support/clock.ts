import type { World } from "../../world.ts";

/** Sets the database's clock ahead of the real one, for the rest of the test. */
export const setAhead = (the: World, by: string): Promise<unknown> =>
  the.sql(
    `CREATE OR REPLACE FUNCTION leadgate.moment() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
     RETURN now() + interval '${by}'`,
  );
