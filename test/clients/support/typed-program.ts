import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** Where npm may have put the packages that the workspace of the client needs. */
const PLACES = ["clients/typescript/node_modules", "node_modules"];

/** Returns the path of a file of a package, as the workspace of the client sees it. */
export function ofPackage(name: string, path: string): string {
  const place = PLACES.find((each) => existsSync(join(each, name))) ?? "";
  return resolve(place, name, path);
}

/** The compilers of programs: the newest, and the last one of version 5. */
const COMPILERS = {
  7: resolve("node_modules/typescript/bin/tsc"),
  5: ofPackage("typescript", "bin/tsc"),
};

/** Compiler options of a strict program for Node. */
const OPTIONS = {
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  strict: true,
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

/** Makes the types of Node available in a folder that has packages of its own. */
export async function linkTypes(folder: string): Promise<void> {
  for (const name of ["@types", "undici-types"])
    await symlink(resolve("node_modules", name), join(folder, "node_modules", name));
}

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
    throw new Error(`${words.join(" ")}\n${stdout}${stderr}`);
  }
}

interface Compilation {
  modules?: keyof typeof MODULES;
  compiler?: keyof typeof COMPILERS;
  /** Whether an optional member may not be undefined. */
  exactOptionalPropertyTypes?: boolean;
  /** Whether declaration files are not checked themselves, which saves most of the time. */
  skipLibCheck?: boolean;
}

/** Compiles the TypeScript of a folder; its programs can be run afterwards. Throws with what the compiler reported. */
export async function compile(folder: string, how: Compilation = {}): Promise<void> {
  const { modules = "nodenext", compiler = 7, exactOptionalPropertyTypes = true, skipLibCheck = true } = how;
  const compilerOptions = { ...OPTIONS, ...MODULES[modules], exactOptionalPropertyTypes, skipLibCheck };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  await run(folder, [COMPILERS[compiler], "--pretty", "false", "-p", "."]);
}

/** Copies the typed programs of a generator into a folder. */
export const copyPrograms = (generator: string, folder: string): Promise<void> =>
  cp(`test/clients/programs/${generator}`, folder, { recursive: true });
