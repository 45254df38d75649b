import { pgbenchScript } from "../support/pgbench.ts";
import { BATCH, MOST, PATCHED } from "./write-data.ts";

/** pgbench doing the bare work of a write: transactions a second. */
export type WriteFloor = (seconds: number) => Promise<number>;

const NEW_ID = `to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint) || substr(md5(random()::text), 1, 13)`;
const DRAWN = "\\set n random(1, ROWS)\n\\set v random(0, MOST)\n";
const LEAD = "'lead_' || lpad(to_hex(:n::bigint), 26, '0')";

const event = (type: string, from: string) =>
  `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, title, data)
    SELECT 'PROJECT', 'evt_' || ${NEW_ID}, id, '${type}', now(), 'api', 'Changed', '{"to": 1, "from": 2, "field": "status"}' FROM ${from};\n`;

const update = (set: string, where: string) =>
  `WITH moved AS (UPDATE store.lead SET ${set}, version = version + 1, updated_at = now()
    WHERE project_id = 'PROJECT' AND ${where} RETURNING id) ${event("lead.updated", "moved")}`;

const INSERT = `WITH fresh AS (INSERT INTO store.lead (project_id, id, external_id, name, email, phone, phone_e164, company, source, custom)
    VALUES ('PROJECT', 'lead_' || ${NEW_ID}, 'p-' || ${NEW_ID}, 'Ana ' || :v::int, 'ana.' || ${NEW_ID} || '@bench.example',
      '+49 30 ' || lpad(:v::text, 8, '0'), '+4930' || lpad(:v::text, 8, '0'), 'Company ' || :v::int % 5000, 'website',
      jsonb_build_object('plan', 'plan ' || :v::int % 50, 'seats', :v::int % 500)) RETURNING id) ${event("lead.created", "fresh")}`;

const PATCH = PATCHED.map(
  ({ sql: [column, value] }, i) =>
    `\\${i === 0 ? "if" : "elif"} :f = ${i}\n${update(`${column} = ${value(":v::int")}`, `id = ${LEAD}`)}`,
);

const UPSERT = `\\set f random(0, 1)\n\\if :f = 0\n${INSERT}\\else\n${update("job_title = 'Job ' || :v::int", "external_id = 'ext-' || :n::int")}\\endif\n`;

const EVENTS = `WITH chosen AS MATERIALIZED (SELECT DISTINCT 'lead_' || lpad(to_hex(:n::bigint + i * (ROWS / ${BATCH})), 26, '0') AS id
    FROM generate_series(0, ${BATCH - 1}) AS i),
  moved AS (UPDATE store.lead SET last_activity_at = now() FROM chosen WHERE project_id = 'PROJECT' AND lead.id = chosen.id RETURNING lead.id)
  ${event("email.opened", "moved")}`;

/** The floors of each kind of write. Each is one prepared statement, so that it costs one round trip. */
export function writeFloors(floor: {
  program: string;
  databaseUrl: string;
  projectId: string;
  rows: number;
  connections: number;
}): Record<"patch" | "create" | "upsert" | "events", WriteFloor> {
  const { rows, connections, ...same } = floor;
  const run = (script: string, clients = connections, highest = rows) =>
    pgbenchScript({
      ...{ ...same, connections: clients },
      script: script
        .replace(/\bROWS\)\n/, `${highest})\n`)
        .replaceAll("ROWS", String(rows))
        .replaceAll("MOST", String(MOST))
        .replaceAll("PROJECT", floor.projectId),
    });
  return {
    patch: run(`${DRAWN}\\set f random(0, ${PATCHED.length - 1})\n${PATCH.join("")}\\endif\n`),
    create: run(DRAWN + INSERT),
    upsert: run(DRAWN + UPSERT),
    events: run(DRAWN + EVENTS, 1, Math.max(1, Math.floor(rows / BATCH))),
  };
}
