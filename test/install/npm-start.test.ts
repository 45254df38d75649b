import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../large.ts";
import { fetchPackage } from "../packages/fetch-package.ts";
import { notLinux } from "../programs.ts";
import { halfSent, type Started, start } from "./support/started.ts";

/** Waits until the service drains: it says that it is not ready any more. */
async function draining({ baseUrl }: Started): Promise<void> {
  const isReady = async () => (await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.ok === true;
  for (const until = performance.now() + 10_000; await isReady(); await sleep(20))
    assert.ok(performance.now() < until, "the service did not notice the signal");
}

for (const major of ["10", "11"]) {
  const npm = await fetchPackage(`npm-${major}`, "npm");
  const skip = notLinux || npm.skip;
  const npmStart = [process.execPath, join(npm.folder, "bin/npm-cli.js"), "start"] as const;

  large(
    `npm ${major} start that gets SIGTERM finishes the request in flight, ends with 0 and leaves no process`,
    {
      skip,
    },
    async () => {
      await using service = await start(npmStart);
      const request = await halfSent(service.authUrl);
      service.child.kill("SIGTERM");
      await draining(service);
      assert.match(await request.finish(), /^HTTP\/1.1 201 /);
      assert.equal(await service.ended, 0, service.printed());
      assert.deepEqual(service.left(), []);
    },
  );

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    large(
      `npm ${major} start whose whole process group gets ${signal}, as by ${signal === "SIGINT" ? "Ctrl-C" : "systemd"}, drains too`,
      {
        skip,
      },
      async () => {
        await using service = await start(npmStart);
        const request = await halfSent(service.authUrl);
        process.kill(-(service.child.pid ?? 0), signal);
        await draining(service);
        assert.match(await request.finish(), /^HTTP\/1.1 201 /);
        assert.equal(await service.ended, 0, service.printed());
        assert.deepEqual(service.left(), []);
      },
    );
  }
}
