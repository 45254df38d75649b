import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

interface Manifest {
  name: string;
  devDependencies?: unknown;
  workspaces?: unknown;
}

interface Lock {
  packages: Record<
    string,
    { dev?: boolean; link?: boolean; devDependencies?: unknown; workspaces?: unknown }
  >;
}

/**
 * Returns the software bill of materials of an installation: CycloneDX JSON of all packages that Leadgate needs in production,
 * with those of every platform, as the lock file has them.
 */
export function productionBom(): string {
  const manifest: Manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const lock: Lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  // npm sbom --omit=dev (11.19) also leaves out packages of production that development packages need too. So it
  // reads a lock file without development; and it calls the application by its folder.
  for (const root of [manifest, lock.packages[""] ?? {}]) {
    delete root.devDependencies;
    delete root.workspaces;
  }
  const packages = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path === "" || (path.startsWith("node_modules/") && !dev && !link),
  );
  const folder = mkdtempSync(join(tmpdir(), "leadgate-sbom-"));
  try {
    const cwd = join(folder, manifest.name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
    writeFileSync(
      join(cwd, "package-lock.json"),
      JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }),
    );
    const words = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
    return execFileSync("npm", words, {
      cwd,
      maxBuffer: 2 ** 26,
      shell: process.platform === "win32",
    }).toString();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(productionBom());
