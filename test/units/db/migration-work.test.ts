import assert from "node:assert/strict";
import { test } from "node:test";
import { secondsOf, workOf } from "../../../src/db/migration/estimate.ts";

const CASES: [sql: string, ...work: string[]][] = [
  ["ALTER TABLE store.lead ADD note text, ADD score_at timestamptz;"],
  ["ALTER TABLE store.lead ADD note text NOT NULL DEFAULT 'none';"],
  ["ALTER TABLE store.lead ADD token uuid DEFAULT gen_random_uuid();", "store.lead rewrite"],
  ["ALTER TABLE store.lead ALTER score TYPE bigint;", "store.lead rewrite"],
  ["ALTER TABLE ONLY person ALTER name SET NOT NULL;", "person check"],
  ["ALTER TABLE person ADD CHECK (name <> '') NOT VALID;"],
  ["ALTER TABLE person VALIDATE CONSTRAINT person_name_check;", "person check"],
  ["ALTER TABLE person ADD CONSTRAINT one UNIQUE (email);", "person index"],
  ["CREATE INDEX a ON store.lead (project_id);", "store.lead index"],
  [
    "CREATE INDEX CONCURRENTLY IF NOT EXISTS a\n  ON store.lead USING gin (words gin_trgm_ops);",
    "store.lead search index",
  ],
  ["UPDATE audit SET once = 'UPDATE client';", "audit rows"],
  ['DELETE FROM store."authorization" a USING client c;', 'store."authorization" rows'],
  [
    "WITH gone AS (DELETE FROM client RETURNING id) UPDATE person SET locale = NULL;",
    "person rows",
    "client rows",
  ],
  ["INSERT INTO store.change (id) SELECT id FROM store.import;", "store.import rows"],
  ["INSERT INTO service_state VALUES ('epoch', '1') ON CONFLICT (key) DO UPDATE SET value = '1';"],
  ["CREATE TRIGGER a BEFORE INSERT OR UPDATE ON store.lead FOR EACH ROW EXECUTE FUNCTION a();"],
  ["SELECT FROM person FOR UPDATE; -- UPDATE person\n-- UPDATE client SET a = 1;"],
  ["CREATE FUNCTION a() RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE person SET a = 1; END $$;"],
  ["DO $$ BEGIN UPDATE person SET a = 1; END $$;", "person rows"],
];

test("what a migration does that takes time by the size of a table is read from its SQL", () => {
  for (const [sql, ...expected] of CASES)
    assert.deepEqual(
      workOf(sql).map(({ table, work }) => `${table} ${work}`),
      expected,
      sql,
    );
});

test("work takes longer on a larger table, and changed rows longer with larger indexes", () => {
  const size = { bytes: 340_000_000, indexBytes: 500_000_000 };
  const seconds = (["check", "index", "search index", "rows", "rewrite"] as const).map((work) =>
    Math.round(secondsOf(work, size)),
  );
  assert.deepEqual(seconds, [0, 5, 57, 280, 120]);
  assert.equal(secondsOf("rows", { ...size, indexBytes: 0 }), 340 / 3);
});
