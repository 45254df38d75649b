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
  await Promise.all([
    writeFile(new URL("schema.ts", GENERATED), await typesOf(document)),
    writeFile(new URL("methods.ts", GENERATED), methodsOf(operationsOf(document as OpenApiDocument))),
    writeFile(new URL("version.ts", GENERATED), `export const VERSION = ${JSON.stringify(version)};\n`),
  ]);
}
