import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "../browser.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { SECRET, type Served, served, until } from "./support/served.ts";

const ANA = { email: "ana@example.org", password: "a long sentence with horses" };

async function signedIn(the: Served, person = ANA): Promise<Browser> {
  const browser = new Browser(the.authUrl);
  assert.equal((await browser.signIn(person)).status, 303);
  return browser;
}

const textOf = async (browser: Browser): Promise<string> => await (await browser.get("/backups")).text();

large("the first person of an instance sees its backups; others do when the operator says so", async (t) => {
  const the = await served(t);
  await the.start({ BACKUP_PASSPHRASE: SECRET });
  await the.caller();
  const ana = await signedIn(the);
  await until(async () => /The newest backup is from/.test(await textOf(ana)), "the first backup");
  await until(async () => /Any time from .* to .* can be restored/.test(await textOf(ana)), "the archive");
  const page = await textOf(ana);
  const { backups } = await the.done<{ backups: { folder: string }[] }>(["backup", "list"]);
  const folder = join(the.dataDir, "backups");
  assert.ok(page.includes(`leadgate restore --from ${folder}`));
  for (const backup of backups) assert.ok(page.includes(backup.folder.slice(folder.length + 1)));
  assert.match(page, /Yes, sealed/);
  assert.match(page, /Daily at 02:00/);
  assert.doesNotMatch(page, /class="error"/);
  assert.match(await (await ana.get("/account")).text(), /href="\/backups"/);

  const bea = { email: "bea@example.org", password: "another sentence about boats" };
  const created = ["person", "create", "--email", bea.email, "--name", "Bea", "--password-stdin"];
  assert.equal((await the.leadgate(created, {}, `${bea.password}\n`)).code, 0);
  const other = await signedIn(the, bea);
  assert.equal((await other.get("/backups")).status, 403);
  assert.doesNotMatch(await (await other.get("/account")).text(), /href="\/backups"/);
  const owner = ["person", "instance-owner", "--email", bea.email];
  assert.equal((await the.done<{ instance_owner: boolean }>(owner)).instance_owner, true);
  assert.equal((await other.get("/backups")).status, 200);
  assert.match(await (await other.get("/account/log")).text(), /The operator changed who owns this instance/);
  await the.done([...owner, "--remove"]);
  assert.equal((await other.get("/backups")).status, 403);
  assert.equal(
    (await new Browser(the.authUrl).get("/backups")).headers.get("location"),
    "/sign-in?to=%2Fbackups",
  );
});

large("the page of backups names the reason of a failure, and a backup without the secret key", async (t) => {
  const the = await served(t);
  const file = join(the.folder, "a-file");
  writeFileSync(file, "");
  await the.start({ BACKUPS: JSON.stringify({ to: join(file, "backups") }) });
  await the.caller();
  const ana = await signedIn(the);
  await until(async () => /The backup failed at .*a-file/.test(await textOf(ana)), "the failure");
  assert.match(await textOf(ana), /There is no backup yet/);
  await the.end("SIGTERM");
  await the.start();
  await until(
    async () => /The newest backup does not have the secret key/.test(await textOf(ana)),
    "a backup",
  );
});

/** What an instance reports, as another process would write it. */
const REPORT = {
  ...{
    at: "02:00",
    zone: "UTC",
    keptDays: 7,
    count: 1,
    log: false,
    archivedFrom: null,
    archivedUntil: null,
    failed: null,
  },
  backups: [
    {
      ...{ name: "leadgate-2026-11-26T02-00-00Z", finished: "2026-11-26T02:00:09Z", bytes: 12_345_678 },
      ...{ kind: "rows", release: "0.2.0", hasKey: true },
    },
  ],
};

large(
  "the page of backups says when an instance has stopped reporting, and shows a folder once",
  async () => {
    await using the = await world();
    const browser = await the.signedIn();
    assert.match(await textOf(browser), /No instance makes regular backups of this database/);
    const report = (host: string, folder: string, minutes: number, more: object = {}) =>
      the.sql(
        "INSERT INTO leadgate.backup_report VALUES ($1, $2, $3, moment() - make_interval(mins => $4))",
        [host, folder, JSON.stringify({ ...REPORT, ...more }), minutes],
      );
    await report("container-1", "/backups", 60);
    await report("container-2", "/backups", 30);
    const before = await textOf(browser);
    assert.doesNotMatch(before, /container-1/);
    assert.match(before, /container-2/);
    assert.match(before, /has not reported since/);
    await report("container-3", "/backups", 0);
    await report("<b>host</b>", "/srv/<script>", 0);
    const after = await textOf(browser);
    assert.doesNotMatch(after, /container-2|has not reported|<script>|<b>host/);
    assert.match(after, /container-3/);
    assert.match(after, /12\.3 MB/);
    const store = { greatestDelay: 5_400, waitingBytes: 2_500_000, failed: null };
    await report("container-4", "s3://b/leads?region=eu-west-1&forcePathStyle=true", 0, { store });
    const withStore = await textOf(browser);
    assert.match(withStore, /The store still lacks 2\.5 MB\. In the last 24 hours, .* 90 minutes/);
    assert.match(
      withStore,
      /leadgate restore --from &#39;s3:\/\/b\/leads\?region=eu-west-1&#38;forcePathStyle=true&#39;/,
    );
    const portuguese = await (await browser.get("/backups", { "Accept-Language": "pt-BR" })).text();
    assert.match(portuguese, /Todos os dias às 02:00/);
    assert.match(portuguese, /Ainda faltam 2,5 MB no armazenamento\. Nas últimas 24 horas, .* 90 minutos/);
  },
);
