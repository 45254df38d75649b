import { mkdir, readFile, writeFile } from "node:fs/promises";
import { methodsOf } from "./methods.ts";
import { type OpenApiDocument, operationsOf } from "./operations.ts";
import { typesOf } from "./types.ts";

const GENERATED = new URL("../src/generated/", import.meta.url);

/** Writes what is generated from an OpenAPI document into src/generated. */
export async function generate(document: object): Promise<void> {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  await mkdir(GENERATED, { recursive: true });
  await write("schema.ts", await typesOf(document));
  await write("methods.ts", methodsOf(operationsOf(document as OpenApiDocument)));
  await write("version.ts", `export const VERSION = ${JSON.stringify(version)};\n`);
}

/** Writes a file if its text differs: a build without changes disturbs no test that reads the sources meanwhile. */
async function write(name: string, text: string): Promise<void> {
  const path = new URL(name, GENERATED);
  const before = await readFile(path, "utf8").catch(() => undefined);
  if (text !== before) await writeFile(path, text);
}
