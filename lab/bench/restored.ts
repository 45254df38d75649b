import { rmSync } from "node:fs";
import process from "node:process";
import { readConfig } from "../../src/config/config.ts";
import { newId } from "../../src/core/id.ts";
import { createPerson } from "../../src/domain/accounts/people/create-person.ts";
import { addProject } from "../../src/domain/projects/create-project.ts";
import { endEverything } from "../../src/domain/upkeep/end-everything.ts";
import { openService } from "../../src/server/start.ts";
import { SECRET_KEY } from "../../test/processes/service-process.ts";
import { refuseNoWork } from "./stability/work.ts";
import { type BenchDatabase, benchDatabase } from "./support/database.ts";

const FOLDER = "data/bench-restored";
const TIMES = 5;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const EVENTS = `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, actor)
  SELECT $1, 'evt_' || lpad(n::text, 26, '0'), $2, 'call.made', now(), 'Call', '{"type": "cli", "id": null, "label": "bench"}'
  FROM generate_series(1, $3::integer) n`;

/** What `restored` did with events until it let the feed continue. */
const FORMER = "UPDATE store.event SET tx = '0' WHERE tx <> '0'";

/** Measures `restored` in a project with this many events, next to the statement with which it rewrote them formerly. */
export async function restored({ events }: { events: number }): Promise<void> {
  refuseNoWork("--events", events);
  try {
    await using database = await benchDatabase({ fresh: true, folder: FOLDER });
    const config = readConfig({ DATABASE_URL: database.url, SECRET_KEY, LOG_LEVEL: "fatal" });
    const opened = await openService(config);
    try {
      const { db } = opened.service;
      const owner = await createPerson(db, {
        ...{ email: "bench@example.org", password: "correct horse bench", name: "Bench", verified: true },
      });
      const project = await db.transaction((tx) =>
        addProject(opened.service, tx, { name: "Bench", ownerId: owner.id }),
      );
      const lead = newId("lead");
      await database.sql("INSERT INTO store.lead (project_id, id) VALUES ($1, $2)", [project, lead]);
      await database.bulk(async (sql) => void (await sql(EVENTS, [project, lead, events])));
      await database.sql("VACUUM ANALYZE store.event");
      await database.checkpoint();
      const now: Measured[] = [];
      for (let n = 0; n < TIMES; n += 1)
        now.push(await measured(database, () => endEverything(opened.service)));
      now.sort((a, b) => a.ms - b.ms);
      const median = now[Math.floor(TIMES / 2)] as Measured;
      await database.checkpoint();
      const former = await measured(database, () => database.sql(FORMER));
      say(
        `restored with ${events} events: ${shown(median)} (median of ${TIMES}, most ${now.at(-1)?.ms.toFixed(1)} ms)`,
      );
      say(`the former statement on the same events: ${shown(former)}`);
      say(`ratio ${(former.ms / median.ms).toFixed(0)}`);
    } finally {
      await opened.close();
    }
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

interface Measured {
  ms: number;
  /** Bytes of the write-ahead log. */
  log: number;
}

async function measured(database: BenchDatabase, work: () => Promise<unknown>): Promise<Measured> {
  const at = async () => {
    const [row] = await database.sql<{ lsn: string }>("SELECT pg_current_wal_insert_lsn() - '0/0' AS lsn");
    return Number(row?.lsn);
  };
  const before = await at();
  const began = performance.now();
  await work();
  return { ms: performance.now() - began, log: (await at()) - before };
}

const shown = ({ ms, log }: Measured): string => `${ms.toFixed(1)} ms, ${(log / 1e6).toFixed(2)} MB of log`;
