import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { claimFolder, type Owner } from "../../../src/db/backup/owner.ts";

const folder = mkdtempSync(join(tmpdir(), "leadgate-owner-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const FIRST: Owner = { id: "one", system: "7", data_dir: "/srv/one" };

const SERVICES: [what: string, owner: Owner, refused: RegExp | undefined][] = [
  ["the same service", FIRST, undefined],
  [
    "another service",
    { id: "two", system: "8", data_dir: "/srv/two" },
    /belong to the service with the data folder \/srv\/one\..*counts as another one/,
  ],
  [
    "a service that was restored from it",
    { ...FIRST, id: "two" },
    /A service whose backups were restored counts as another one/,
  ],
  [
    "a copy of its data folder",
    { ...FIRST, data_dir: "/srv/copy" },
    /This one, with the data folder \/srv\/copy, was moved or is a copy of it/,
  ],
  [
    "a service with its own PostgreSQL",
    { id: "two", system: null, data_dir: null },
    /belong to the service with the data folder \/srv\/one/,
  ],
];

for (const [what, owner, refused] of SERVICES)
  test(`a folder with backups of a service ${refused === undefined ? "is open to" : "refuses"} ${what}`, async () => {
    const to = join(folder, what);
    await claimFolder(to, FIRST);
    if (refused === undefined) return await claimFolder(to, owner);
    await assert.rejects(claimFolder(to, owner), (error: Error) => {
      assert.match(error.message, refused);
      assert.match(error.message, /remove .*owner\.json/);
      return true;
    });
    rmSync(join(to, "owner.json"));
    await claimFolder(to, owner);
    await assert.rejects(claimFolder(to, FIRST));
  });

test("a folder of backups inside a data folder belongs to the service of that data folder, wherever it was moved", async () => {
  const to = join(folder, "data", "backups");
  await claimFolder(to, FIRST);
  await claimFolder(to, { id: "two", system: "8", data_dir: join(folder, "data") });
  assert.ok(existsSync(join(to, "owner.json")));
  await assert.rejects(claimFolder(to, FIRST));
});

test("of services that want an empty folder of backups at the same moment, one gets it", async () => {
  const to = join(folder, "raced");
  const owners = Array.from({ length: 8 }, (_, n) => ({ id: `${n}`, system: `${n}`, data_dir: `/srv/${n}` }));
  const results = await Promise.allSettled(owners.map((owner) => claimFolder(to, owner)));
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
});
