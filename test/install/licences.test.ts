import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { productionBom } from "../../packaging/sbom.ts";
import { builtPanel } from "../panel/support/built.ts";

/** Licences that ask for a notice at most; packages with another one are named here with a reason. */
const ALLOWED = new Set([
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "0BSD",
  "MIT-0",
  "BlueOak-1.0.0",
  "PostgreSQL",
]);
const EXCEPTIONS: Record<string, string | undefined> = {
  // permissive, asks to keep the notice
  argparse: "Python-2.0",
};

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

const bom = JSON.parse(productionBom()) as {
  bomFormat: string;
  metadata: { component: { name: string; version: string; type: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** Returns `scope/name` of a package from its purl, since npm calls a component by its folder. */
const nameOf = ({ purl }: Component) => decodeURIComponent(/^pkg:npm\/(.+)@/.exec(purl)?.[1] ?? "");

interface Locked {
  version?: string;
  link?: boolean;
  dev?: boolean;
}

test("the bill of materials names exactly the packages that the lock file has for production", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  assert.equal(bom.bomFormat, "CycloneDX");
  assert.deepEqual(
    [bom.metadata.component.name, bom.metadata.component.version, bom.metadata.component.type],
    ["leadgate", manifest.version, "application"],
  );
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
  const locked = Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith("node_modules/") && !(dev || link))
    .map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`);
  const named = bom.components.map((component) => `${nameOf(component)}@${component.version}`);
  assert.deepEqual([...new Set(named)].sort(), [...new Set(locked)].sort());
  const refs = new Set(bom.dependencies.map(({ ref }) => ref));
  for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref);
});

test("every package of production has a licence of the list", () => {
  for (const component of bom.components) {
    const licences = (component.licenses ?? []).map(
      ({ license, expression }) => license?.id ?? license?.name ?? expression ?? "",
    );
    const isAllowed = licences.length > 0 && licences.every((licence) => ALLOWED.has(licence));
    assert.ok(
      isAllowed || EXCEPTIONS[nameOf(component)] === licences.join(),
      `${nameOf(component)}: ${licences.join() || "none"}`,
    );
  }
});

test("the panel lists the packages in it with their licences, all of which are of the list", () => {
  const listed = readFileSync(join(builtPanel(), "licenses.md"), "utf8");
  const packages = [...listed.matchAll(/^## (\S+) - \S+ \((.+)\)$/gm)].map(([, name = "", licence = ""]) => ({
    name,
    licence,
  }));
  for (const name of ["react", "react-dom", "@mantine/core", "@tanstack/react-query", "preact"])
    assert.ok(
      packages.some((one) => one.name === name),
      name,
    );
  for (const { name, licence } of packages)
    for (const one of licence.split(" AND ")) assert.ok(ALLOWED.has(one), `${name}: ${licence}`);
});
