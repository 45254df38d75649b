import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { large } from "../large.ts";
import { packedArchive } from "./support/archive.ts";
import { linksOutside } from "./support/page-links.ts";

const run = promisify(execFile);

large(
  "every link between the pages of an unpacked release archive leads to a file that is there",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "leadgate-links-"));
    try {
      await run("tar", ["xzf", await packedArchive(), "-C", folder]);
      const root = join(folder, "package");
      const files = globSync("**/*", { cwd: root }).filter((path) => statSync(join(root, path)).isFile());
      assert.deepEqual(linksOutside(root, new Set(files)), []);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
