// Builds the client: generates it from the OpenAPI document of the API host, then compiles it to dist.
import { spawnSync } from "node:child_process";
import { copyFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { apiDocument } from "../../../src/http/openapi/hosts.ts";
import { generate } from "./generate.ts";

const folder = new URL("..", import.meta.url);

await generate(apiDocument("http://localhost:3001"));
await rm(new URL("dist", folder), { recursive: true, force: true });
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [tsc, "-p", fileURLToPath(folder)], { stdio: "inherit" });
await copyFile(new URL("../../LICENSE", folder), new URL("LICENSE", folder));
process.exitCode = status ?? 1;
