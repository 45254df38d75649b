// Runs before npm pack; npm prepare builds the panel after it. What it writes is not in git.
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { CONTACTS } from "../src/cli/demo/contacts-file.ts";
import { productionBom } from "./sbom.ts";

rmSync("dist", { recursive: true, force: true });
compile();
writeFileSync("dist/bank-contacts.csv.gz", gzipSync(readFileSync(CONTACTS), { level: 9 }));
writeFileSync("dist/sbom.cdx.json", productionBom());
// npm packs no package-lock.json, but this one, which is the same; postpack removes it.
copyFileSync("package-lock.json", "npm-shrinkwrap.json");

/**
 * Writes src as JavaScript into dist, because Node runs no TypeScript below node_modules. Types become blanks, so that lines
 * and columns stay those of src.
 */
function compile(): void {
  const sources = globSync("src/**/*.ts");
  const known = new Set(sources);
  for (const source of sources) {
    const code = stripTypeScriptTypes(readFileSync(source, "utf8"));
    const target = join("dist", relative("src", source)).replace(/\.ts$/, ".js");
    mkdirSync(dirname(target), { recursive: true });
    // Paths of our own modules: in imports, and where workers are started.
    const compiled = code.replace(/"(\.{1,2}\/[^"\n]*)\.ts"/g, (text, path: string) => {
      if (!known.has(join(dirname(source), `${path}.ts`))) throw new Error(`${source} names ${text}`);
      return `"${path}.js"`;
    });
    writeFileSync(target, compiled);
  }
}
