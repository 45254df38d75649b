import { execFile } from "node:child_process";
import { cp, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** Requires packages as the workspace of the client does: TypeScript 5 and the generators. */
const ofClient = createRequire(resolve("clients/typescript/package.json"));

/** The compilers of programs: the newest, and the last one of version 5. */
export const COMPILERS = {
  7: resolve("node_modules/typescript/bin/tsc"),
  5: ofClient.resolve("typescript/bin/tsc"),
};

/** Compiler options of a strict program for Node. */
const OPTIONS = {
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};

const MODULES = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

/** Returns a folder outside of the project, in which packages of the project can be imported. */
export async function outside(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `leadgate-${name}-`));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  return folder;
}

/** Makes packages that the project has installed available in a folder. */
export const linkPackages = (folder: string): Promise<void> =>
  symlink(resolve("node_modules"), join(folder, "node_modules"));

/** Returns the path of a generator's command. */
export const commandOf = (name: string, path: string): string =>
  join(ofClient.resolve(name).split(name)[0] ?? "", name, path);

/** Runs a program of Node in a folder and returns its lines. Throws with what it printed if it fails. */
export async function run(
  folder: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string[]> {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 16 * 2 ** 20 };
  try {
    return (await promisify(execFile)(process.execPath, words, options)).stdout.trim().split("\n");
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${words.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Compiles the TypeScript of a folder; with `emit`, its programs can be run afterwards. */
export async function compile(
  folder: string,
  modules: keyof typeof MODULES = "nodenext",
  compiler: keyof typeof COMPILERS = 7,
): Promise<void> {
  const compilerOptions = { ...OPTIONS, ...MODULES[modules] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  await run(folder, [COMPILERS[compiler], "-p", "."]);
}

/** Copies the typed programs of a generator into a folder. */
export const copyPrograms = (generator: string, folder: string): Promise<void> =>
  cp(`test/clients/programs/${generator}`, folder, { recursive: true });
