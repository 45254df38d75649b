import { fingerprintOf } from "../../core/secret.ts";
import { LIVING } from "../../db/migration/older-instances.ts";
import { RELEASE } from "../../db/migration/release.ts";
import { planUpgrade } from "../../db/plan-upgrade.ts";
import { knownSecretKeys } from "../../server/secret-keys.ts";
import { type Finding, mistake, ok, unasked, warning, wordsOf } from "./finding.ts";
import type { Installation } from "./installation.ts";

/** Whether the database answers. */
export async function checkDatabase(installation: Installation): Promise<Finding[]> {
  try {
    const [state] = await installation.query<{ read_only: string }>(
      "SELECT current_setting('transaction_read_only') AS read_only",
    );
    return state?.read_only === "on"
      ? [
          mistake(
            "The database takes no changes: it is a standby or read-only.",
            "Let DATABASE_URL lead to the primary.",
          ),
        ]
      : [ok("The database answers and takes changes.")];
  } catch (error) {
    const advice = "Start PostgreSQL, or correct DATABASE_URL, its password or the network.";
    return [mistake(`The database does not answer: ${wordsOf(error)}.`, advice)];
  }
}

const LIMITS = `SELECT (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role,
    (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS database,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS server,
    (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend'
      AND (usename <> current_user OR datname <> current_database())) AS others`;
const INSTANCES = `SELECT count(*)::integer AS count FROM leadgate.instance WHERE seen_at > leadgate.moment() - ${LIVING}`;
/** Two imports have two each, and live readers one. */
const BESIDES = 5;

/** The connections that PostgreSQL grants, and those that the instances open. */
export async function checkConnections(installation: Installation): Promise<Finding[]> {
  const { connections, databaseDirectUrl } = installation.config;
  type Granted = { role: number; database: number; server: number; others: number };
  const [granted] = await installation.query<Granted>(LIMITS);
  // Before the first start, there is no such table.
  const [running] = await installation.query<{ count: number }>(INSTANCES).catch(() => []);
  const count = running?.count ?? 0;
  if (granted === undefined) throw new Error("PostgreSQL did not answer");
  // Behind a pooler, requests use its connections.
  const each = connections.jobs + BESIDES + (databaseDirectUrl === undefined ? connections.requests : 0);
  const wanted = each * Math.max(count, 1);
  const who = count > 1 ? `${count} instances open up to ${wanted}` : `an instance opens up to ${wanted}`;
  const found: Finding[] = [];
  for (const [what, limit, raise] of [
    ["the role's CONNECTION LIMIT", granted.role, `ALTER ROLE … CONNECTION LIMIT ${wanted}, or -1`],
    [
      "the database's CONNECTION LIMIT",
      granted.database,
      `ALTER DATABASE … CONNECTION LIMIT ${wanted}, or -1`,
    ],
    [
      "max_connections, without those for superusers,",
      granted.server,
      "raise max_connections and restart PostgreSQL",
    ],
  ] as const)
    if (limit >= 0 && limit < wanted)
      found.push(
        mistake(
          `Connections to the database: ${who}, but ${what} is ${limit}.`,
          `Raise it (${raise}), or lower CONNECTIONS.`,
        ),
      );
  if (found.length === 0 && granted.server - granted.others < wanted)
    found.push(
      warning(
        `Connections to the database: ${who}; other programs have ${granted.others} of ${granted.server}.`,
        "Raise max_connections, or lower CONNECTIONS.",
      ),
    );
  return found.length > 0 ? found : [ok(`Connections to the database: ${who} of ${granted.server}.`)];
}

/** PostgreSQL's minor releases of November 2025: older ones lack fixes of their security and of lost data. */
const OLDEST_MINOR: Readonly<Record<number, number>> = { 15: 15, 16: 11, 17: 7, 18: 1 };

/** PostgreSQL, and whether the tables are those of this release. */
export async function checkVersions(installation: Installation): Promise<Finding[]> {
  const { url } = await installation.database();
  const [server] = await installation.query<{ number: number }>(
    "SELECT current_setting('server_version_num')::integer AS number",
  );
  const [major, minor] = [Math.floor((server?.number ?? 0) / 10_000), (server?.number ?? 0) % 10_000];
  const found: Finding[] = [];
  if (major < 15)
    found.push(mistake(`PostgreSQL ${major} is too old.`, "Move the database to PostgreSQL 15 or newer."));
  else if (minor < (OLDEST_MINOR[major] ?? 0))
    found.push(
      warning(
        `PostgreSQL ${major}.${minor} lacks fixes.`,
        `Install the newest ${major}.x and restart PostgreSQL; the data stays.`,
      ),
    );
  const { migrations, instances, reason } = await planUpgrade(url);
  const others = [...new Set(instances.map(({ release }) => release ?? "an older one"))].filter(
    (release) => release !== RELEASE,
  );
  if (reason !== null) found.push(mistake(reason, "Use the release that it names, here too."));
  else if (migrations.length > 0)
    found.push(
      mistake(
        `The database lacks ${migrations.length} of the migrations of Leadgate ${RELEASE}.`,
        "Start an instance of this release, or run `leadgate migrate`; `leadgate upgrade --check` says what it does.",
      ),
    );
  if (others.length > 0)
    found.push(
      warning(
        `Instances of Leadgate ${others.join(", ")} run besides ${RELEASE}.`,
        "Finish the upgrade: replace them.",
      ),
    );
  if (found.length === 0)
    found.push(ok(`Leadgate ${RELEASE}, PostgreSQL ${major}.${minor}, Node ${process.versions.node}.`));
  return found;
}

const KEY = "SELECT left(value, 16) AS current FROM leadgate.service_state WHERE key = 'secret_key'";
const SHORTEST = 32;

/** The secret key: given, long enough, and the one with which the database's secrets are signed. */
export async function checkSecretKey(installation: Installation): Promise<Finding[]> {
  const keys = await knownSecretKeys(installation.config);
  const generate = "Generate one with `openssl rand -hex 32`, and set it on all instances.";
  if (keys.length === 0)
    return [
      installation.config.databaseUrl === undefined
        ? warning("DATA_DIR has no secret key yet.", "Start the service once; it makes one.")
        : mistake("DATABASE_URL is set without SECRET_KEY.", generate),
    ];
  if (keys.some((key) => key.length < SHORTEST))
    return [mistake(`SECRET_KEY is shorter than ${SHORTEST} characters.`, generate)];
  const database = await installation.database().catch(() => undefined);
  if (database === undefined) return [unasked];
  const [state] = await installation.query<{ current: string }>(KEY).catch(() => []);
  if (state !== undefined && !keys.map(fingerprintOf).includes(state.current))
    return [
      mistake(
        `SECRET_KEY lacks the key that this database was used with, whose fingerprint is ${state.current}.`,
        "Set the newest key and the previous one: SECRET_KEY=new,previous (docs/operate/keys.md).",
      ),
    ];
  return [ok("SECRET_KEY is the one of the database.")];
}

const APART_SECONDS = 2;

/** The clocks of this machine and of the instance against the database's. */
export async function checkClock(installation: Installation): Promise<Finding[]> {
  await installation.query("");
  const from = Date.now();
  const [database] = await installation.query<{ clock: number }>(
    "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS clock",
  );
  const until = Date.now();
  const ofDatabase = (database?.clock ?? 0) - (from + until) / 2;
  const clocks = [{ who: "this machine", ahead: -ofDatabase, known: (until - from) / 2 }];
  for (const port of installation.ports) {
    const asked = await installation.asked(installation.here(port)).catch(() => undefined);
    if (asked?.seen === undefined) continue;
    const ahead = asked.seen.clock - (asked.from + asked.until) / 2 - ofDatabase;
    clocks.push({ who: "the instance", ahead, known: (asked.until - asked.from + until - from) / 2 });
  }
  const wrong = clocks.find(({ ahead, known }) => Math.abs(ahead) - known > APART_SECONDS * 1_000);
  if (wrong === undefined) return [ok("The clocks of this machine and of the database agree.")];
  const seconds = Math.round(Math.abs(wrong.ahead) / 1_000);
  return [
    mistake(
      `The clock of ${wrong.who} is ${seconds} seconds ${wrong.ahead > 0 ? "ahead of" : "behind"} the database's: codes of authenticator apps are refused.`,
      "Synchronize the clocks of both machines (chrony, systemd-timesyncd).",
    ),
  ];
}
