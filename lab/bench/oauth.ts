import process from "node:process";
import { prepareCodes, prepareGround, prepareTokens } from "../../test/oauth/support/inserted-grants.ts";
import { startService } from "../../test/processes/service-process.ts";
import { measureOAuth, type OAuthLoad, type OAuthMeasured } from "./oauth/oauth-load.ts";
import { refreshFloor } from "./oauth/refresh-floor.ts";
import { PEER_SCHEMA } from "./peer/adapter.ts";
import { startPeer } from "./peer/peer.ts";
import { benchDatabase, findPgbench } from "./support/database.ts";
import { median } from "./support/load.ts";

const CONNECTIONS = 16;
const REGISTRATION = JSON.stringify({
  redirect_uris: ["https://bench.example/back"],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
});

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** One side of a comparison: runs for this many seconds. */
type Side = (seconds: number) => Promise<OAuthMeasured>;

/**
 * Compares refresh, exchange, introspection and registration with panva's oidc-provider, in turn on the same
 * PostgreSQL. Each is a process of its own, and only HTTP is timed; pgbench measures the floor of a refresh. `only` selects
 * contests by their names.
 */
export async function oauth(options: { seconds: number; rounds: number; only: string }): Promise<void> {
  await using database = await benchDatabase({ fresh: true, folder: "data/bench-oauth" });
  await database.sql(PEER_SCHEMA);
  const ground = await prepareGround(database);
  await using service = await startService(database.url, { TRUSTED_PROXIES: "127.0.0.1/32" });
  await using peer = await startPeer(database.url);
  const { clientId } = ground;

  const ours = (load: Partial<OAuthLoad>) => measureOAuth(service.pid, filled(service.authPort, load));
  const theirs = (load: Partial<OAuthLoad>) => measureOAuth(peer.pid, filled(peer.port, load));
  /** Returns sixteen refresh chains that continue from round to round. */
  const chains = (run: typeof ours, path: string, id: string, first: string[]): Side => {
    let items = first;
    const before = `grant_type=refresh_token&client_id=${id}&refresh_token=`;
    return async (seconds) => {
      const measured = await run({ path, mode: "chain", items, before, seconds });
      items = measured.left;
      return measured;
    };
  };
  const access = (await prepareTokens(database, ground, 200)).map((each) => `token=${each.access}`);
  const theirAccess = (await peer.make("access", 200)).map(
    (token) => `token=${token}&client_id=${peer.clientId}`,
  );
  const register: Partial<OAuthLoad> = { items: [REGISTRATION], type: "application/json", expect: 201 };

  const contests: Record<string, { ours: Side; theirs: Side; aim: number }> = {
    refresh: {
      aim: 3,
      ours: chains(
        ours,
        "/api/oauth/token",
        clientId,
        (await prepareTokens(database, ground, CONNECTIONS)).map(({ refresh }) => refresh),
      ),
      theirs: chains(theirs, "/token", peer.clientId, await peer.make("refresh", CONNECTIONS)),
    },
    exchange: {
      aim: 2,
      ours: async (seconds) => {
        const items = await prepareCodes(database, ground, 3_000 * seconds);
        return await ours({ path: "/api/oauth/token", mode: "once", items, seconds });
      },
      theirs: async (seconds) => {
        const items = await peer.make("codes", 1_000 * seconds);
        return await theirs({ path: "/token", mode: "once", items, seconds });
      },
    },
    introspection: {
      aim: 2.5,
      ours: (seconds) => ours({ path: "/api/oauth/introspect", mode: "repeat", items: access, seconds }),
      theirs: (seconds) =>
        theirs({ path: "/token/introspection", mode: "repeat", items: theirAccess, seconds }),
    },
    registration: {
      aim: 1.5,
      ours: (seconds) => ours({ ...register, path: "/api/oauth/register", addresses: true, seconds }),
      theirs: (seconds) => theirs({ ...register, path: "/reg", seconds }),
    },
  };

  const program = findPgbench();
  const floor =
    program === undefined
      ? undefined
      : await refreshFloor({ program, database, ground, connections: CONNECTIONS });
  for (const [name, contest] of Object.entries(contests).filter(([each]) => each.includes(options.only))) {
    await contest.ours(1);
    await contest.theirs(1);
    const rounds: { ours: OAuthMeasured; theirs: OAuthMeasured; tps: number }[] = [];
    for (let i = 0; i < options.rounds; i += 1) {
      rounds.push({
        ours: await contest.ours(options.seconds),
        theirs: await contest.theirs(options.seconds),
        tps: name === "refresh" && floor !== undefined ? await floor(options.seconds) : Number.NaN,
      });
    }
    report(name, contest.aim, rounds);
  }
  if (floor === undefined) say("pgbench is absent (Debian: postgresql-contrib); refresh has no floor");
}

const filled = (port: number, load: Partial<OAuthLoad>): OAuthLoad => ({
  ...{ port, path: "/", mode: "repeat", items: [], expect: 200, connections: CONNECTIONS, seconds: 1 },
  ...load,
});

function report(
  name: string,
  aim: number,
  rounds: readonly { ours: OAuthMeasured; theirs: OAuthMeasured; tps: number }[],
): void {
  const line = (who: string, side: "ours" | "theirs") => {
    const of = (read: (measured: OAuthMeasured) => number) =>
      median(rounds.map((round) => read(round[side])));
    const failed = rounds.reduce((sum, round) => sum + round[side].failed, 0);
    if (failed > 0) throw new Error(`${name}: ${failed} calls to ${who} were not answered as they should`);
    const times = `p50 ${of(({ p50 }) => p50).toFixed(1)} ms, p99 ${of(({ p99 }) => p99).toFixed(1)} ms`;
    const cpu = `server CPU ${of(({ cpu }) => cpu).toFixed(2)} ms a call`;
    say(`${name}: ${who} ${of(({ perSecond }) => perSecond).toFixed(0)} calls/s, ${times}, ${cpu}`);
  };
  line("leadgate", "ours");
  line("oidc-provider", "theirs");
  const ratio = median(rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond));
  say(`${name}: ratio ${ratio.toFixed(2)} (aim ${aim})`);
  const tps = median(rounds.map((round) => round.tps));
  if (Number.isNaN(tps)) return;
  const share = median(rounds.map((round) => round.ours.perSecond / round.tps));
  say(
    `${name}: pgbench ${tps.toFixed(0)} tps with the same statement; leadgate reaches ${share.toFixed(2)} of it`,
  );
}
