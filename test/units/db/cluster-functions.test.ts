import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";

/** Names of functions, with the place of a name that `format` fills in. */
const DEFINED = /CREATE (?:OR REPLACE )?FUNCTION (?:leadgate\.)?([\w%$]+)\(/g;

const definedIn = (sql: string): string[] => [...sql.matchAll(DEFINED)].map(([, name]) => name ?? "");

test("what takes the place of a migration's function on a cluster names the last migration that defines it", () => {
  const newest = new Map<string, string>();
  for (const path of globSync("db/migrations/*.sql").sort())
    for (const name of definedIn(readFileSync(path, "utf8"))) newest.set(name, basename(path).slice(0, 4));
  const checked: string[] = [];
  let cited = "";
  for (const statement of readFileSync("db/citus/functions.sql", "utf8").split("\n\n")) {
    cited = /^-- .*[Ss]ee (\d{4})\./m.exec(statement)?.[1] ?? cited;
    for (const name of definedIn(statement)) {
      const last = newest.get(name);
      if (last === undefined) continue;
      assert.ok(
        last <= cited,
        `db/migrations/${last} changed ${name}: change db/citus/functions.sql with it, and the number above it`,
      );
      checked.push(name);
    }
  }
  for (const name of ["survivor", "keep_indexes", "move_values", "feed_tx", "continue_feed"])
    assert.ok(checked.includes(name), `${name} was not checked`);
});
