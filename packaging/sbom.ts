import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";

/** What is read here of a CycloneDX document. */
interface Bom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

interface Component {
  "bom-ref": string;
  type: string;
  name: string;
  version: string;
}

/**
 * Returns the software bill of materials of an installation: CycloneDX JSON of all packages that Leadgate needs in production,
 * with those of every platform, as the lock file has them.
 */
export function productionBom(): string {
  const words = ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"];
  const bom: Bom = JSON.parse(
    execFileSync("npm", words, { maxBuffer: 2 ** 26, shell: process.platform === "win32" }).toString(),
  );
  const { name } = JSON.parse(readFileSync("package.json", "utf8")) as { name: string };
  // npm takes the names of the folder and of workspaces for those of packages; the client is not part of the service.
  Object.assign(bom.metadata.component, { name, type: "application" });
  const isClient = (ref: string) => ref.startsWith("@leadgate/client@");
  bom.components = bom.components.filter((component) => !isClient(component["bom-ref"]));
  bom.dependencies = bom.dependencies.filter(({ ref }) => !isClient(ref));
  for (const dependency of bom.dependencies)
    dependency.dependsOn = dependency.dependsOn?.filter((ref) => !isClient(ref)) ?? [];
  return `${JSON.stringify(bom, null, 2)}\n`;
}

if (import.meta.main) process.stdout.write(productionBom());
