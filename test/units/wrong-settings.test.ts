import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

/** Values of settings that make no sense, with what the message says besides the name of the setting. */
const WRONG: Readonly<Record<string, readonly (readonly [value: string, message: RegExp])[]>> = {
  AUTH_URL: [
    ["example.org", /is "example.org"; it must be an http or https URL/],
    ["localhost:3000", /must be an http or https URL/],
    ["http://localhost:99999", /must be an http or https URL/],
    [" http://localhost:3000", /must be an http or https URL without spaces/],
    ["https://example.org/leads", /without a path, such as http:\/\/localhost:3000/],
    ["https://example.org/?a=b", /must be an http or https URL/],
    ["https://ada:hunter2@example.org", /without a name and a password/],
  ],
  BASE_URL: [
    ["https://example.org/#x", /must be an http or https URL/],
    ["ftp://example.org", /must be an http or https URL.*such as http:\/\/localhost:3001/],
    ["https://ada:hunter2@example.org", /without a name and a password/],
  ],
  AUTH_PORT: [
    ["3000ms", /is "3000ms"; it must be a port number from 0 to 65535/],
    ["0x10", /is "0x10"/],
    ["1e3", /is "1e3"/],
    [" ", /is " "/],
    ["70000", /is "70000"/],
  ],
  API_PORT: [["tcp://10.0.0.1:80", /must be a port number/]],
  HOST: [
    ["http://0.0.0.0", /is "http:\/\/0.0.0.0"; it must be an address of this machine, such as 127.0.0.1/],
    ["0.0.0.0:3000", /must be an address of this machine/],
    ["*", /0.0.0.0 for all/],
    ["10.0.0.0/8", /must be an address of this machine/],
  ],
  DATABASE_URL: [
    ["host=localhost dbname=leadgate", /such as postgres:\/\/.*a list of names and values \(host=…\)/],
    ["mysql://ada:hunter2@db/leadgate", /such as postgres:\/\/.*starts with mysql:\/\//],
    ["http://db", /starts with http:\/\//],
    ["localhost", /such as postgres:\/\//],
    ["postgres:/leadgate", /such as postgres:\/\//],
    ["true", /such as postgres:\/\//],
    ['"postgres://db/leadgate"', /starts with a quotation mark/],
    [" postgres://db/leadgate", /starts with a space/],
    ["postgres://ada:hunter2#x@db/leadgate", /percent-encoded: %23 for #/],
    ["postgres://ada:hunter2/x@db/leadgate", /percent-encoded.*%2F for \//],
    ["postgres://ada:1/hunter2@db/leadgate", /percent-encoded/],
    ["postgres://ada:hunter2@x/y@db/leadgate", /percent-encoded.*%40 for @/],
    ["postgres://ada:hunter2?x@db/leadgate", /percent-encoded.*%3F for \?/],
    ["postgres://ada:hunter2%E9@db/leadgate", /percent-encoded.*%25 for %/],
    ["postgres://ada:hunter2@db:abc/leadgate", /has a host or a port that cannot be read/],
    ["postgres://one:5432,two:5432/leadgate", /has a host or a port that cannot be read/],
    [
      "postgres://db/leadgate?sslmode=requird",
      /sslmode=requird; it must be one of disable, allow, prefer, require/,
    ],
    [
      "postgres://db/leadgate?sslrootcert=/no/such/file",
      /sslrootcert names the file "\/no\/such\/file", which cannot be read \(ENOENT\)/,
    ],
  ],
  DATABASE_DIRECT_URL: [["mysql://ada:hunter2@db/leadgate", /such as postgres:\/\//]],
  PREPARED_STATEMENTS: [["true", /must be on or off/]],
  SECRET_KEY: [
    ["hunter2", /too short.*at least 32 characters.*openssl rand -hex 32/],
    [`${"k".repeat(32)},hunter2`, /too short/],
    [",", /has no key.*openssl rand -hex 32/],
  ],
  TRUSTED_PROXIES: [
    ["true", /has "true"; .*an address or a range such as 10.0.0.0\/8/],
    ["10.0.0", /has "10.0.0"/],
    ["10.0.0.0/33", /has "10.0.0.0\/33"/],
    ["127.0.0.1, proxy.local", /has "proxy.local"/],
    ["*", /has "\*"/],
    ["0.0.0.0/0", /has "0.0.0.0\/0"/],
  ],
  LIMITS: [
    ["{api:null}", /is not valid JSON; it must be an object such as \{"api":null\}/],
    ["off", /is not valid JSON/],
    ['{"apii":null}', /unknown key "apii"/],
    ['{"api":{"perMinute":"5/s"}}', /api.perMinute is "5\/s"/],
    ['{"api":true}', /api is true/],
  ],
  ADMISSION: [
    ['{"inFlight":"64"}', /inFlight is "64"/],
    ["64", /is 64; it must be an object/],
  ],
  REDIS_URL: [
    ["localhost:6379", /such as redis:\/\//],
    ["http://cache", /starts with http:\/\//],
    ["redis://", /such as redis:\/\//],
    ["redis://:hunter2#x@cache:6379", /percent-encoded/],
    ["redis://cache/leadgate", /number of a database, such as \/0/],
  ],
  CONNECTIONS: [
    ["12", /must be an object/],
    ['{"requests":"12"}', /requests is "12"/],
  ],
  TIME_LIMITS: [
    ['{"wait":"3s"}', /wait is "3s"/],
    ['{"job":true}', /job is true/],
  ],
  EXPORTS: [['{"keptDay":3}', /unknown key "keptDay"/]],
  CHANGES: [['{"keptDays":"30 days"}', /keptDays is "30 days"/]],
  BACKUPS: [
    ["off", /is not valid JSON; it must be an object such as \{"at":"02:00"\}/],
    ["false", /is false; it must be an object/],
    ['{"at":"2:00"}', /at is "2:00"/],
    ['{"log":"yes"}', /log is "yes"/],
  ],
  FIELD_INDEXES: [['{"leads":"1k"}', /leads is "1k"/]],
  LIFETIMES: [['{"code":"10m"}', /code is "10m"/]],
  MCP_ORIGINS: [
    ["app.example.org", /has "app.example.org"; it must be an origin such as https:\/\/app.example.org/],
    ["https://app.example.org/", /has "https:\/\/app.example.org\/"/],
    ["https://app.example.org:443", /has "https:\/\/app.example.org:443"/],
    ["https://App.example.org", /has "https:\/\/App.example.org"/],
    ["https://*.example.org", /has "https:\/\/\*.example.org"/],
    ["*, true", /has "true"/],
  ],
  CIMD: [["true", /must be one of on, off, auto/]],
  CIMD_PROBE: [["http://example.org", /must be an https URL/]],
  SMTP_URL: [
    ["mail.example.org", /such as smtp:\/\//],
    ["mail.example.org:587", /such as smtp:\/\//],
    ["http://mail.example.org", /starts with http:\/\//],
    ["smtp://", /such as smtp:\/\//],
    ["smtp://ada:hunter2#x@mail:587", /percent-encoded/],
    ["smtp://ada:hunter2/x@mail", /percent-encoded/],
    ["smtp://mail:abc", /has a host or a port that cannot be read/],
  ],
  MAIL_FROM: [
    ["Leadgate", /is "Leadgate"; it must be one address, such as Leadgate <leadgate@example.com>/],
    ["ada@", /must be one address/],
    ["ada@example.org, bea@example.org", /must be one address/],
    ["Harbour, Sales <ada@example.org>", /must be one address/],
    ["Leadgate <ada@example.org", /must be one address/],
    ["ada@example.org\nBcc: bea@example.org", /must be one address/],
  ],
  SECURITY_CONTACT: [["security@example.org", /must be a mailto:, https: or tel: URI/]],
  METRICS_TOKEN: [["  ", /is only spaces/]],
  AUDIT_DAYS: [["30d", /is "30d"/]],
  RECORD_DAYS: [
    ["1y", /is "1y"/],
    ["29", /from 30/],
  ],
  DRAIN_SECONDS: [["3s", /is "3s"/]],
  ACCESS_LOG: [["true", /must be on or off/]],
  SLOW_LOG_MS: [["1s", /is "1s"/]],
  SLOW_LOG_VALUES: [["1", /must be on or off/]],
  LOG_LEVEL: [
    ["loud", /is "loud"; it must be one of fatal, error, warn, info, debug/],
    ["INFO", /is "INFO"/],
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [["collector:4318", /must be an http or https URL/]],
  TRACES: [
    ['{"slowMs":"1s"}', /slowMs is "1s"/],
    ['{"failed":"yes"}', /failed is "yes"/],
  ],
  ROLE: [["web,api", /must be one of all, web, api, worker/]],
};

/** Needed for others to be read. */
const BESIDES: Readonly<Record<string, Record<string, string>>> = {
  DATABASE_DIRECT_URL: { DATABASE_URL: "postgres://pooler/leadgate" },
};

for (const [name, cases] of Object.entries(WRONG))
  test(`${name}: a value that makes no sense is refused with its name, a right form, and never a password`, () => {
    for (const [value, says] of cases) {
      const error = errorOf({ ...BESIDES[name], [name]: value }) ?? "accepted";
      assert.ok(error.startsWith(name), `${value}: ${error}`);
      assert.match(error, says, value);
      assert.doesNotMatch(error, /hunter2/);
      assert.doesNotMatch(error, /Invalid URL|is invalid/);
    }
  });

function errorOf(env: Record<string, string>): string | undefined {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test("an empty setting is one that is left out", () => {
  const names = Object.keys(WRONG);
  const empty = Object.fromEntries([...names, "DATA_DIR"].map((name) => [name, ""]));
  // Only whether there is a mail server is known from an empty setting.
  const { isSet, ...settings } = readConfig(empty);
  assert.equal(isSet.smtpUrl, true);
  assert.deepEqual({ ...settings, isSet: readConfig({}).isSet }, readConfig({}));
});

test("right values that look unusual are taken as they are", () => {
  for (const [name, value] of [
    ["DATABASE_URL", "postgresql://ada:p%23%2F%40%25w@db.example.org:5432/leadgate?sslmode=verify-full"],
    ["DATABASE_URL", "postgres:///leadgate?host=/run/postgresql&user=ada@example.org"],
    ["DATABASE_URL", "postgres://ada:secret@/leadgate?host=/run/postgresql"],
    ["DATABASE_URL", "postgres://%2Frun%2Fpostgresql/leadgate"],
    ["DATABASE_URL", "/run/postgresql leadgate"],
    ["DATABASE_URL", "postgres://[::1]:5432/leadgate"],
    ["REDIS_URL", "rediss://ada:p%40w@[::1]:6380/2"],
    ["REDIS_URL", "redis://cache/?family=6"],
    ["SMTP_URL", "smtps://ada%40example.org:p%2Fw@mail.example.org/?pool=true"],
    ["MAIL_FROM", '"Harbour, Sales" <ada@example.org>'],
    ["MAIL_FROM", "ada@[::1]"],
    ["MCP_ORIGINS", "https://app.example.org:8443, http://localhost:3000, vscode-webview://1a2b, *"],
    ["TRUSTED_PROXIES", "10.0.0.0/8, 127.0.0.1, fd00::/8, loopback, 10.0.0.0/255.0.0.0"],
    ["HOST", "::"],
    ["HOST", "leadgate.internal"],
    ["BASE_URL", "https://example.org/leads/"],
    ["LOG_LEVEL", "silent"],
  ] as const)
    assert.equal(errorOf({ [name]: value }), undefined, `${name}=${value}`);
});

test("a password with a character that should be percent-encoded, but can be read, is a warning without the password", () => {
  for (const url of ["postgres://ada:hunter2@x@db/leadgate", "postgres://ada:hunter2%w@db/leadgate"]) {
    const [warning = "", ...more] = readConfig({ DATABASE_URL: url }).warnings;
    assert.match(warning, /^DATABASE_URL .*percent-encoded/);
    assert.doesNotMatch(warning, /hunter2/);
    assert.deepEqual(more, []);
  }
});

test("a name that is likely a misspelled setting is a warning, unless the setting itself is there too", () => {
  const warned = (env: Record<string, string>) => readConfig(env).warnings;
  for (const [wrong, right] of [
    ["BACKUP", "BACKUPS"],
    ["SMTP_URI", "SMTP_URL"],
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["MCP_ORIGIN", "MCP_ORIGINS"],
  ] as const) {
    const [warning = "", ...more] = warned({ [wrong]: "hunter2" });
    assert.equal(warning, `${wrong} is not a setting of Leadgate and is ignored; ${right} may be meant.`);
    assert.deepEqual(more, []);
  }
  assert.deepEqual(warned({ SMTP_URI: "x", SMTP_URL: "smtp://mail" }), []);
  assert.match(warned({ AUTH_URL_FILE: "/x" })[0] ?? "", /^AUTH_URL_FILE is not a setting.*AUTH_URL/);
});

test("the usual variables of shells, containers and clusters are no misspelled settings", () => {
  const names =
    "HOME HOSTNAME HOSTTYPE PATH PWD OLDPWD LANG LC_ALL LOGNAME MAIL USER SHELL TERM TZ PORT DEBUG EDITOR CI NODE_ENV NODE_OPTIONS " +
    "SHLVL TMPDIR DISPLAY COLUMNS LINES PAGER LESS HISTFILE SSH_AUTH_SOCK SSH_TTY XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS " +
    "INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET MAINPID STATE_DIRECTORY CREDENTIALS_DIRECTORY RUNTIME_DIRECTORY KUBERNETES_PORT " +
    "KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT REDIS_PORT REDIS_HOST POSTGRES_PORT POSTGRES_HOST DB_HOST DB_PORT PGHOST " +
    "PGPORT PGUSER PGDATABASE PGPASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_PASSWORD LEADGATE_PORT HTTP_PROXY HTTPS_PROXY NO_PROXY " +
    "NO_COLOR FORCE_COLOR INIT_CWD DATABASE_NAME DATABASE_HOST DATABASE_PORT SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASS BASE_DIR " +
    "GITHUB_ACTIONS GITLAB_CI container OTEL_LOG_LEVEL OTEL_METRICS_EXPORTER npm_config_cache npm_lifecycle_event npm_package_name";
  assert.deepEqual(readConfig(Object.fromEntries(names.split(" ").map((name) => [name, "x"]))).warnings, []);
});
