import pg from "pg";
import { type Cable, cableTo } from "../../cable.ts";
import { freshDatabase } from "../../template.ts";
import { type World, type WorldOptions, world } from "../../world.ts";

/** A world whose database is reached through a cable, and a way to the database that does not use it. */
export interface CabledWorld extends AsyncDisposable {
  the: World;
  cable: Cable;
  sql<R>(text: string, values?: unknown[]): Promise<R[]>;
  /** Returns how many of the service's connections the server serves. */
  served(): Promise<number>;
}

export async function cabledWorld(options: WorldOptions = {}): Promise<CabledWorld> {
  const database = await freshDatabase();
  const cable = await cableTo(database.url);
  const the = await world({ ...options, env: { ...options.env, DATABASE_URL: cable.url } });
  const direct = new pg.Pool({
    connectionString: database.url,
    max: 2,
    options: "-c search_path=leadgate,store,public",
  });
  direct.on("error", () => undefined);
  const sql = async <R>(text: string, values: unknown[] = []) =>
    (await direct.query(text, values)).rows as R[];
  return {
    the,
    cable,
    sql,
    served: async () =>
      (
        await sql(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'leadgate-%'",
        )
      ).length,
    async [Symbol.asyncDispose]() {
      await cable.mend();
      await the[Symbol.asyncDispose]();
      await cable.cut();
      await direct.end();
      await database.drop();
    },
  };
}
