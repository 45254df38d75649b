// Runs before npm pack: writes src as JavaScript into dist, because Node runs no TypeScript below node_modules. Types become
// blanks, so that lines and columns stay those of src.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { CONTACTS } from "../src/cli/contacts-file.ts";

/** A path of a module of ours, in an import or where a worker is started. */
const OUR_MODULE = /("\.{1,2}\/[^"\n]*)\.ts"/g;

rmSync("dist", { recursive: true, force: true });
const sources = globSync("src/**/*.ts");
const known = new Set(sources);
for (const source of sources) {
  const code = stripTypeScriptTypes(readFileSync(source, "utf8"));
  const target = join("dist", relative("src", source)).replace(/\.ts$/, ".js");
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(
    target,
    code.replace(OUR_MODULE, (text, path: string) => {
      if (!known.has(join(dirname(source), `${path.slice(1)}.ts`))) throw new Error(`${source} names ${text}`);
      return `${path}.js"`;
    }),
  );
}
writeFileSync("dist/bank-contacts.csv.gz", gzipSync(readFileSync(CONTACTS), { level: 9 }));
console.log(`dist has ${sources.length} modules`);
