import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const CACHE = resolve("node_modules/.cache/archives");
const run = promisify(execFile);

/**
 * Returns the path of the archive that `npm pack` makes of these sources. It is packed in a copy, because packing builds
 * the panel again, which other tests are using, and once for the same sources.
 */
export async function packedArchive(): Promise<string> {
  const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard"], { maxBuffer: 2 ** 26 });
  const files = stdout
    .split("\n")
    .filter((file) => /^(?!docs\/pictures|test|lab\/(?!README\.md)|\.ci)./.test(file) && existsSync(file));
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update("\0").update(readFileSync(file));
  const archive = join(CACHE, `${hash.digest("hex").slice(0, 16)}.tgz`);
  if (existsSync(archive)) return archive;
  const copy = mkdtempSync(join(tmpdir(), "leadgate-pack-"));
  try {
    for (const file of files) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(file, join(copy, file));
    }
    for (const folder of ["node_modules", "clients/typescript/node_modules"])
      if (existsSync(folder)) symlinkSync(resolve(folder), join(copy, folder));
    const packed = await run("npm", ["pack", "--json", "--pack-destination", copy], {
      cwd: copy,
      maxBuffer: 2 ** 26,
    });
    const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf("[\n"))) as [
      { filename: string },
    ];
    mkdirSync(CACHE, { recursive: true });
    // not renamed from the copy, which may be on another disk
    cpSync(join(copy, filename), `${archive}.${process.pid}`);
    renameSync(`${archive}.${process.pid}`, archive);
    return archive;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
