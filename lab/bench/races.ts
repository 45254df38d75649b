import { globSync } from "node:fs";
import process from "node:process";
import {
  type Ground,
  prepareCodes,
  prepareGround,
  prepareTokens,
} from "../../test/oauth/support/inserted-grants.ts";
import { type ServiceProcess, startService } from "../../test/processes/service-process.ts";
import { replaysAfterKills } from "./races-kills.ts";
import { coordinatorUrl } from "./scale/nodes.ts";
import { twoDatabases } from "./scale/two-databases.ts";
import { type BenchDatabase, benchDatabase } from "./support/database.ts";
import { type Answer, Wire } from "./support/wire.ts";

const CODES = 1_000;
const REFRESHES = 1_000;
const REVOCATIONS = 10_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Where the races run: two instances of the service on one database. */
interface Track {
  database: Pick<BenchDatabase, "url" | "sql">;
  ground: Ground;
  instances: ServiceProcess[];
}

/**
 * Tests what races must not break, at full size with `scale` 1: codes, refreshes and revocations on two
 * instances, with equal clocks and 180 seconds apart, and replays after kill -9 of everything. Throws if a
 * promise was broken. With `citus`, the database is on the cluster that LEADGATE_TEST_CITUS leads to, and nothing is killed.
 */
export async function races(options: { scale: number; kills: number; citus: boolean }): Promise<void> {
  let broken = 0;
  {
    await using databases = options.citus ? await twoDatabases(coordinatorUrl()) : undefined;
    await databases?.distribute();
    await using embedded =
      databases === undefined ? await benchDatabase({ fresh: true, folder: "data/bench-races" }) : undefined;
    const database = databases?.cluster ?? embedded;
    if (database === undefined) throw new Error("there is no database");
    const ground = await prepareGround(database);
    const faketime = globSync("/usr/lib/*/faketime/libfaketime.so.1")[0];
    const clocks = (offset: string) =>
      faketime === undefined
        ? {}
        : { LD_PRELOAD: faketime, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
    for (const [name, first, second] of [
      ["equal clocks", {}, {}],
      ["clocks at +90 s and -90 s", clocks("+90s"), clocks("-90s")],
    ] as const) {
      if (Object.keys(first).length === 0 && name !== "equal clocks") {
        say(`${name}: skipped, libfaketime is absent (Debian: faketime)`);
        continue;
      }
      await using one = await startService(database.url, first);
      await using two = await startService(database.url, second);
      const track: Track = { database, ground, instances: [one, two] };
      broken += await codeRace(track, name, Math.ceil(CODES * options.scale));
      broken += await refreshRace(track, name, Math.ceil(REFRESHES * options.scale));
      broken += await revocationRace(track, name, Math.ceil(REVOCATIONS * options.scale));
    }
  }
  if (options.kills > 0 && !options.citus) broken += await replaysAfterKills(options.kills, say);
  if (broken > 0) throw new Error(`${broken} promises were broken`);
  say("every promise was kept");
}

async function wiresTo({ instances }: Track, each: number): Promise<Wire[]> {
  return await Promise.all(
    instances.flatMap(({ authPort }) => Array.from({ length: each }, () => Wire.open(authPort))),
  );
}

const token = (wire: Wire, body: string): Promise<Answer> => wire.ask("/api/oauth/token", body);

async function codeRace(track: Track, name: string, count: number): Promise<number> {
  const wires = await wiresTo(track, 25);
  let [one, used, other, broken] = [0, 0, 0, 0];
  for (const body of await prepareCodes(track.database, track.ground, count)) {
    const answers = await Promise.all(wires.map((wire) => token(wire, body)));
    const won = answers.filter(({ status }) => status === 200).length;
    const lost = answers.filter(
      ({ status, body: text }) => status === 400 && text.includes("code already used"),
    );
    one += won === 1 ? 1 : 0;
    used += lost.length;
    other += answers.length - won - lost.length;
    broken += won === 1 && lost.length === 49 ? 0 : 1;
  }
  for (const wire of wires) wire.close();
  say(
    `code race, ${name}: ${count} codes x 50: one 200 each ${one}, "code already used" ${used}, others ${other}`,
  );
  return broken;
}

async function refreshRace(track: Track, name: string, count: number): Promise<number> {
  const wires = await wiresTo(track, 10);
  const [first] = wires;
  if (first === undefined) throw new Error("no connection");
  const { clientId } = track.ground;
  const made = await prepareTokens(track.database, track.ground, count);
  const bodyOf = (refresh: string) =>
    `grant_type=refresh_token&client_id=${clientId}&refresh_token=${refresh}`;
  let [one, replays, other, alive] = [0, 0, 0, 0];
  for (const { refresh, access } of made) {
    const answers = await Promise.all(wires.map((wire) => token(wire, bodyOf(refresh))));
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status, body }) => status === 400 && body.includes("replay detected"));
    one += won.length === 1 ? 1 : 0;
    replays += lost.length;
    other += answers.length - won.length - lost.length + Math.max(0, won.length - 1);
    for (const { body } of won) {
      const next = JSON.parse(body) as { access_token: string; refresh_token: string };
      if ((await token(first, bodyOf(next.refresh_token))).status === 200) alive += 1;
      for (const each of [access, next.access_token]) {
        const state = await first.ask("/api/oauth/introspect", `token=${each}`);
        if (state.body !== '{"active":false}') alive += 1;
      }
    }
  }
  for (const wire of wires) wire.close();
  say(
    `refresh race, ${name}: ${count} tokens x 20: one 200 each ${one}, "replay detected" ${replays}, others ${other}, alive afterwards ${alive}`,
  );
  return other + alive;
}

/** Revokes a token on one instance; a request that starts after the response goes to the other one. */
async function revocationRace(track: Track, name: string, count: number): Promise<number> {
  const wires = await wiresTo(track, 8);
  const made = await prepareTokens(track.database, track.ground, count);
  let [refused, accepted, other] = [0, 0, 0];
  const lanes = wires.slice(0, 8).map(async (one, lane) => {
    const pair = [one, wires[lane + 8]] as const;
    for (let next = made.pop(), turn = 0; next !== undefined; next = made.pop(), turn += 1) {
      const [here, there] = turn % 2 === 0 ? pair : [pair[1], pair[0]];
      if (here === undefined || there === undefined) throw new Error("no connection");
      const ask = async () =>
        (await there.ask("/mcp", undefined, `Authorization: Bearer ${next?.access}\r\n`)).status;
      if (turn === 0 && (await ask()) !== 200) throw new Error("a living token was refused");
      const whole = turn % 4 < 2 ? next.refresh : next.access;
      const ended = await here.ask("/api/oauth/revoke", `token=${whole}`);
      const status = await ask();
      if (ended.status !== 200) other += 1;
      else if (status === 401) refused += 1;
      else if (status === 200) accepted += 1;
      else other += 1;
    }
  });
  await Promise.all(lanes);
  for (const wire of wires) wire.close();
  say(`revocation, ${name}: ${count} tries: refused ${refused}, accepted ${accepted}, others ${other}`);
  return accepted + other;
}
