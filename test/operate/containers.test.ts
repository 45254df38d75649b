import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { RELEASE } from "../../src/db/migration/release.ts";
import { packedArchive } from "../install/support/archive.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { freePort } from "../world.ts";
import { blockOf } from "./support/blocks.ts";
import { LIMITS, lacksContainers, ownPodman, type Podman } from "./support/podman.ts";
import { placed } from "./support/proxies.ts";
import { noSystemd, profileOf } from "./support/system-calls.ts";

const UNIT = "deploy/systemd/leadgate.service";
const IMAGE_BYTES = 400_000_000;
const BUILD = blockOf("containers.md", "Build the image");
const RUN = blockOf("containers.md", "One container");
const COMMAND = blockOf("containers.md", "Commands");
const HEALTH = blockOf("containers.md", "Health");
const WITH_SECRETS = blockOf("containers.md", "Secrets");
const END = blockOf("containers.md", "Upgrade");

/** Where a container serves; it shares the network of the machine, which may have no bridge. */
interface Place {
  url: string;
  /** What the script of a container becomes on this machine. */
  here(script: string): string;
}

async function place(): Promise<Place> {
  const [web, api] = [await freePort(), await freePort()];
  const env = {
    ...{ AUTH_URL: `http://localhost:${web}`, BASE_URL: `http://localhost:${api}` },
    ...{ AUTH_PORT: web, API_PORT: api, HOST: "127.0.0.1" },
  };
  const more = Object.entries(env).map(([name, value]) => `--env ${name}=${value}`);
  const published = "--publish 127.0.0.1:3000:3000 --publish 127.0.0.1:3001:3001";
  return {
    url: `http://localhost:${api}`,
    here: (script) => placed(script, { [published]: `--network=host ${LIMITS} ${more.join(" ")}` }),
  };
}

/** Runs a script of the page, which must succeed. */
async function done(own: Podman, script: string, env?: Record<string, string>): Promise<string> {
  const { code, out, err } = await own.sh(script, env);
  assert.equal(code, 0, `${script}\n${out}\n${err}`);
  return out;
}

/** Waits until the container is ready; fails with its log if it ended. */
async function ready(own: Podman, url: string): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    const { out } = await own.podman("inspect", "leadgate", "--format", "{{.State.Status}}");
    if (out.trim() === "exited") assert.fail((await own.podman("logs", "leadgate")).err);
    await sleep(100);
  }
}

/** An image is built and six containers start: five minutes were too few on a busy machine. */
const PATIENCE_MS = 900_000;

large(
  "the container image",
  {
    skip: await lacksContainers(),
    timeout: PATIENCE_MS,
  },
  async (t: TestContext) => {
    await using own = ownPodman();
    await done(own, placed(BUILD, { [`leadgate-${RELEASE}.tgz`]: await packedArchive() }));
    const format = (text: string, of = "leadgate") => own.podman("inspect", of, "--format", text);

    await t.test("has at most 400 MB, a user without rights, a health check and no secret", async () => {
      const { out } = await own.podman("image", "inspect", "localhost/leadgate");
      const [image] = JSON.parse(out) as [
        { Size: number; User: string; Healthcheck: object; Config: { Env: string[] } },
      ];
      t.diagnostic(`the image has ${(image.Size / 1e6).toFixed(0)} MB`);
      assert.ok(image.Size <= IMAGE_BYTES, `${image.Size} bytes`);
      assert.equal(image.User, "10001:10001");
      assert.deepEqual(image.Healthcheck, {
        ...{
          Test: ["CMD", "leadgate", "health"],
          Interval: 1e10,
          Timeout: 5e9,
          StartPeriod: 6e10,
          Retries: 3,
        },
      });
      assert.deepEqual(image.Config.Env.map((each) => each.split("=")[0]).sort(), [
        ...["API_PORT", "AUTH_PORT", "DATA_DIR", "HOST", "PATH"],
      ]);
    });

    const { url, here } = await place();
    let key = "";

    await t.test(
      "runs with the embedded database, a read-only root, no capability and no root user",
      async () => {
        await done(own, here(RUN));
        await ready(own, url);
        // It is printed once the instance is ready.
        while (!/Create the first owner here/.test((await own.podman("logs", "leadgate")).out))
          await sleep(100);
        const inside = async (script: string) => await own.podman("exec", "leadgate", "sh", "-c", script);
        const { out: status } = await inside('while read -r line; do echo "$line"; done < /proc/1/status');
        assert.match(status, /^Uid:\s+10001\s+10001\s/m);
        assert.match(status, /^CapEff:\s+0+$/m);
        assert.match(status, /^NoNewPrivs:\s+1$/m);
        for (const folder of ["/", "/usr/lib/leadgate", "/etc"])
          assert.match((await inside(`echo x > ${folder}/written`)).err, /Read-only file system/);
        assert.equal((await inside("echo x > /tmp/written")).code, 0);
      },
    );

    await t.test("answers to its commands and to its health check while it serves", async () => {
      const { out } = await own.sh(
        "echo 'correct horse battery' | podman exec -i leadgate leadgate person create --email ada@example.org --name Ada --password-stdin",
      );
      assert.match(out, /^id: per_/m);
      const project = /prj_\w+/.exec(await done(own, COMMAND))?.[0] ?? "";
      const created = await own.podman(
        ...["exec", "leadgate", "leadgate", "key", "create", "--project", project, "--name", "container"],
        ...["--permissions", "leads:read", "--json"],
      );
      key = (JSON.parse(created.out) as { key: string }).key;
      const { err } = await own.podman("logs", "leadgate");
      assert.match(
        err,
        /"command":"key create","code":0,.*"a command has ended"/,
        "the service performed it",
      );
      await done(own, HEALTH);
    });

    await t.test("drains on SIGTERM, and what was written is in the next container", async () => {
      const { out: id } = await format("{{.Id}}");
      const logOf = async () => (await own.podman("logs", "leadgate")).err;
      const [stop = "", remove = "", ...rest] = END.split("\n");
      assert.deepEqual([stop, remove, rest], ["podman stop leadgate", "podman rm leadgate", [""]]);
      await done(own, stop);
      assert.equal((await format("{{.State.ExitCode}}")).out.trim(), "0");
      assert.match(await logOf(), /"draining".*"stopped"/s);
      await done(own, remove);
      await done(own, here(RUN));
      await ready(own, url);
      assert.notEqual((await format("{{.Id}}")).out, id);
      const answer = await fetch(`${url}/api/v1/members`, { headers: { Authorization: `Bearer ${key}` } });
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /"Ada"/);
      await done(own, END);
    });

    await t.test(
      "works with the system calls that the systemd unit allows, the embedded database too",
      {
        skip: noSystemd,
      },
      async () => {
        const third = await place();
        const folder = await mkdtemp(join(tmpdir(), "leadgate-seccomp-"));
        const profile = join(folder, "profile.json");
        await writeFile(profile, JSON.stringify(profileOf(await readFile(UNIT, "utf8"))));
        const script = placed(RUN, {
          "--read-only": `--read-only --security-opt=seccomp=${profile}`,
          "leadgate-data:": "leadgate-filtered:",
        });
        await done(own, third.here(script));
        await ready(own, third.url);
        const { out } = await own.podman(
          ...["exec", "leadgate", "sh", "-c", 'while read -r line; do echo "$line"; done < /proc/1/status'],
        );
        assert.match(out, /^Seccomp:\s+2$/m);
        await done(own, END);
        await rm(folder, { recursive: true });
      },
    );

    await t.test("runs with another database, whose URL and key are secrets in files", async () => {
      const database = await freshDatabase();
      try {
        const server = new URL(database.url);
        server.searchParams.delete("host");
        server.hostname = "127.0.0.1";
        const second = await place();
        const script = placed(WITH_SECRETS, {
          "postgres://leadgate:$PASSWORD@db.example.com/leadgate": server.href,
        });
        await done(own, second.here(script));
        await ready(own, second.url);
        const { out } = await own.podman("inspect", "leadgate");
        assert.ok(!out.includes(server.password), "the password is not in the container's description");
        assert.match(out, /DATABASE_URL_FILE/);
        assert.equal((await own.podman("exec", "leadgate", "leadgate", "health")).code, 0);
        const { out: files } = await own.podman(
          ...["exec", "leadgate", "sh", "-c", "echo /var/lib/leadgate/*"],
        );
        assert.doesNotMatch(files, /postgres/, "no embedded database was made");
        await done(own, END);
      } finally {
        await database.drop();
      }
    });
  },
);

test("the image is built from the files that the page names, and pulls no other", () => {
  const file = readFileSync("Containerfile", "utf8");
  assert.deepEqual(file.match(/^FROM .*/gm), ["FROM scratch"]);
});
