import assert from "node:assert/strict";
import { test } from "node:test";
import { startOf } from "../../web/src/dashboard/data/zone.ts";
import { dayIn } from "../../web/src/words/zone-time.ts";
import { world } from "../world.ts";

const ZONES = [
  ...[
    "UTC",
    "America/Sao_Paulo",
    "America/New_York",
    "America/St_Johns",
    "America/Santiago",
    "America/Asuncion",
  ],
  ...["Europe/Lisbon", "Europe/Berlin", "Africa/Cairo", "Asia/Beirut", "Asia/Kathmandu", "Asia/Tehran"],
  ...["Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Apia", "Pacific/Kiritimati"],
];

test("a day starts when PostgreSQL says so, in every zone, even where the clocks skip midnight", async () => {
  await using the = await world();
  const rows = await the.sql<{ zone: string; day: string; starts: string; late: string }>(
    `SELECT zone, to_char(day, 'YYYY-MM-DD') AS day, to_char(day AT TIME ZONE zone AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS starts,
       to_char((day + interval '23:30') AT TIME ZONE zone AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS late
     FROM unnest($1::text[]) AS zone, generate_series(timestamp '2015-01-01', timestamp '2018-12-31', '1 day') AS day
     WHERE zone <> 'Africa/Cairo' OR day > '2017-01-01'`,
    [ZONES],
  );
  assert.ok(rows.length > 20_000);
  const wrong = rows.filter(
    ({ zone, day, starts, late }) =>
      startOf(day, zone) !== starts ||
      dayIn(zone, Date.parse(late)) !== day ||
      dayIn(zone, Date.parse(starts)) !== day,
  );
  assert.deepEqual(wrong, []);
});
