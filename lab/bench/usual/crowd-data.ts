import { type EmptyProject, fill, wordLists } from "../../../test/api/filters/support/usual-data.ts";
import type { BenchDatabase } from "../support/database.ts";

/** What a project has on average. */
const LEADS = 2_500;
const EVENTS = 4 * LEADS;
/** How many leads one statement makes. */
const BATCH = 100_000;
/** How many times as many leads the largest of the others has as the smallest. */
const SPREAD = 500;

/**
 * The other projects, the smallest first. Their sizes follow a power law: how many have at least x leads falls with the
 * root of x. Of 2,000 projects they have about 100 to 50,000 leads.
 */
function crowd(projects: number, measured: number): EmptyProject[] {
  const others = projects - 1;
  const shares = Array.from(
    { length: others },
    (_, i) => (1 - ((i + 0.5) / others) * (1 - SPREAD ** -0.5)) ** -2,
  );
  const all = shares.reduce((sum, share) => sum + share, 0);
  const leads = projects * LEADS - measured;
  let before = measured;
  let passed = 0;
  return shares.map((share, i) => {
    const start = before;
    passed += share;
    before = measured + Math.round((leads * passed) / all);
    return { id: `prj_0crowd${String(i + 1).padStart(20, "0")}`, leads: before - start, before: start };
  });
}

/**
 * Generates what is missing of the other projects beside the measured one with so many leads. What was interrupted goes on
 * where it stopped.
 */
export async function prepareCrowd(
  database: BenchDatabase,
  say: (line: string) => void,
  projects: number,
  measured: number,
): Promise<void> {
  const stored = await database.sql<{ id: string }>(
    "SELECT project_id AS id FROM store.project WHERE starts_with(project_id, 'prj_0crowd')",
  );
  const known = new Set(stored.map(({ id }) => id));
  const all = crowd(projects, measured);
  const missing = all.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  const words = await wordLists();
  // The measured project has two for each lead.
  const eventsPerLead = (projects * EVENTS - 2 * measured) / (projects * LEADS - measured);
  const batches = inBatches(missing);
  const count = batches.length;
  let made = 0;
  await database.bulk(async (sql) => {
    const work = async () => {
      for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
        const ids = batch.map(({ id }) => id);
        for (const table of FILLED)
          await sql(`DELETE FROM store.${table} WHERE project_id = ANY ($1)`, [ids]);
        await fill(sql, batch, words, eventsPerLead);
        await sql(PROJECTS, [ids]);
        made += 1;
        say(`the other projects: ${made} of ${count} batches`);
      }
    };
    await Promise.all([work(), work()]);
    for (const table of ["lead", "event", "dataset_row"]) {
      say(`VACUUM ANALYZE ${table}`);
      await sql(`VACUUM ANALYZE store.${table}`);
    }
  });
}

/** What an interrupted batch may have left; its projects are added last. */
const FILLED = ["event", "lead", "dataset_row", "dataset", "custom_field"];

/** Small and large projects come in turn. */
function inBatches(projects: readonly EmptyProject[]): EmptyProject[][] {
  const batches: EmptyProject[][] = [];
  let last: EmptyProject[] = [];
  let leads = 0;
  for (const project of mixed(projects)) {
    last.push(project);
    leads += project.leads;
    if (leads >= BATCH) {
      batches.push(last);
      [last, leads] = [[], 0];
    }
  }
  if (last.length > 0) batches.push(last);
  return batches;
}

const mixed = (projects: readonly EmptyProject[]): EmptyProject[] =>
  projects.toSorted((a, b) => scattered(a) - scattered(b));

/** A number that has no order, the same in each run. */
const scattered = ({ before }: EmptyProject): number => (before * 0.618_033_988_75) % 1;

const PROJECTS = `INSERT INTO store.project (project_id, name, slug, default_country)
  SELECT id, 'Crowd', 'crowd-' || right(id, 8), 'DE' FROM unnest($1::text[]) AS id`;
