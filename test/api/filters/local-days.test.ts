import assert from "node:assert/strict";
import { test } from "node:test";
import { dayStart } from "../../../src/domain/values/zoned-moment.ts";
import { large } from "../../large.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { bodyOf } from "../support/v1.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Zones whose clocks change around midnight, or which skip a day, and others. */
const ZONES = [
  "America/Havana",
  "Atlantic/Azores",
  "America/Scoresbysund",
  "America/Sao_Paulo",
  "America/Santiago",
  "America/Asuncion",
  "America/St_Johns",
  "America/Moncton",
  "Antarctica/Casey",
  "Asia/Beirut",
  "Asia/Amman",
  "Asia/Pyongyang",
  "Pacific/Apia",
  "America/New_York",
  "Europe/Lisbon",
];

const FORMATS = new Map(
  ZONES.map((zone) => [zone, new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short" })]),
);

/** The date that a zone's clocks show. */
const shown = (zone: string, at: number): string => FORMATS.get(zone)?.format(at) ?? "";

const OFFSETS = new Map(
  ZONES.map((zone) => [zone, new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })]),
);

/** A zone's offset as `GMT-03:00`. */
const clock = (zone: string, at: number): string => OFFSETS.get(zone)?.format(at).replace(/^.* /, "") ?? "";

/** The instants, to the second, at which a zone's clocks changed from 2004 to 2024. */
function changesOf(zone: string): number[] {
  const found: number[] = [];
  for (let at = Date.UTC(2004, 0), last = clock(zone, at); at < Date.UTC(2025, 0); at += 10 * DAY) {
    const next = clock(zone, at + 10 * DAY);
    if (next !== last) {
      let [before, after] = [at, at + 10 * DAY];
      while (after - before > 1_000) {
        const middle = before + Math.floor((after - before) / 2_000) * 1_000;
        if (clock(zone, middle) === last) before = middle;
        else after = middle;
      }
      found.push(after);
    }
    last = next;
  }
  return found;
}

/** The first instant at which clocks show a date or a later one, searched in steps of a minute. */
function firstOf(zone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let at = midnight - 15 * HOUR;
  while (shown(zone, at + 3 * HOUR) < day) at += HOUR;
  while (shown(zone, at) < day) at += 60_000;
  return at;
}

const nextDay = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

test("a day starts at its first instant wherever clocks change, in the database as in the service", async () => {
  await using the = await world();
  const asked = ZONES.flatMap((zone) => {
    const days = changesOf(zone).flatMap((at) => [-1, 0, 1].map((days) => shown(zone, at + days * DAY)));
    return [...new Set(days)].map((day) => ({ zone, day }));
  });
  assert.ok(asked.length > 500);
  const found = await the.sql<{ zone: string; day: string; start: Date; own: string; before: string }>(
    `SELECT zone, day::text, leadgate.day_start(day, zone) AS start,
       leadgate.local_day(leadgate.day_start(day, zone), zone)::text AS own,
       leadgate.local_day(leadgate.day_start(day, zone) - interval '1 s', zone)::text AS before
     FROM json_to_recordset($1::json) AS given (zone text, day date)`,
    [JSON.stringify(asked)],
  );
  for (const { zone, day, start, own, before } of found) {
    const expected = firstOf(zone, day);
    assert.equal(start.toISOString(), new Date(expected).toISOString(), `${zone} ${day}`);
    assert.equal(dayStart(Date.parse(`${day}T00:00:00Z`), zone), expected, `${zone} ${day}`);
    // Apia had no 30 December 2011.
    assert.ok(own >= day && before < day, `${zone} ${day}: ${before}, ${own}`);
  }
  assert.equal(found.length, asked.length);
});

interface Groups {
  groups: { key: Record<string, string>; metrics: { count: number } }[];
}

const FIELDS = ["created_at", "custom.seen"];

/** Adds a lead for every half hour around some of a zone's changes. */
async function fill(the: World, zone: string): Promise<number> {
  await the.sql("DELETE FROM store.lead WHERE project_id = $1", [the.project.id]);
  const changes = changesOf(zone);
  const some = changes.filter((_, i) => i < 2 || i === changes.length - 1);
  const moments = some.flatMap((at) =>
    Array.from({ length: 144 }, (_, i) => new Date(at - 36 * HOUR + i * (HOUR / 2) + 1_000)),
  );
  await addLeads(
    the,
    moments.map((at) => ({ created_at: at, custom: { seen: at.toISOString().replace("Z", "+00:00") } })),
  );
  return moments.length;
}

async function count(key: KeyActor, timezone: string, filter: unknown): Promise<number> {
  const sent = await key.send("POST", "/api/v1/leads/count", { filter, timezone });
  return (await bodyOf<{ count: number }>(sent)).count;
}

large(
  "a filter of a day, week or month finds as many leads as the aggregate's bucket, whenever clocks change",
  async () => {
    await using the = await world();
    const key = await the.key(["leads:read"]);
    await the.sql(
      "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'seen', 'Seen', 'datetime')",
      [the.project.id],
    );
    const last: Record<string, (day: string) => string> = {
      day: (day) => day,
      week: (day) => nextDay(day, 6),
      month: (day) => nextDay(`${nextDay(`${day.slice(0, 8)}28`, 4).slice(0, 8)}01`, -1),
    };
    for (const zone of ZONES) {
      const all = await fill(the, zone);
      for (const field of FIELDS) {
        for (const [interval, end] of Object.entries(last)) {
          const body = { group_by: [{ field, interval }], timezone: zone, limit: 500 };
          const { groups } = await bodyOf<Groups>(await key.send("POST", "/api/v1/leads/aggregate", body));
          assert.equal(
            groups.reduce((sum, { metrics }) => sum + metrics.count, 0),
            all,
          );
          const checks = groups.map(async ({ key: group, metrics }) => {
            const day = group[field] ?? "";
            const range = { field, op: "between", value: [day, end(day)] };
            const filter = interval === "day" ? { field, op: "eq", value: day } : range;
            const said = `${zone} ${field} ${interval} ${day}`;
            assert.equal(await count(key, zone, filter), metrics.count, said);
          });
          await Promise.all(checks);
        }
      }
    }
  },
);
