import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Block, blocksIn } from "../operate/support/blocks.ts";

/** The guides of CONTRIBUTING that say how something is added. They share an example, so each may need those before it. */
export const GUIDES = ["Add a field", "Add an operation", "Add a tool", "Add a screen", "Add a migration"];

/** A block of a guide: a new file, changes of a file, or commands. */
export type Step =
  | { file: string; create: string }
  | { file: string; changes: readonly Change[] }
  | { run: string };

/** Lines that a file has exactly once, and what they become. */
interface Change {
  from: string;
  to: string;
}

/** Returns the blocks of a guide, in order, as steps. */
export function stepsOf(title: string, page = readFileSync("CONTRIBUTING.md", "utf8")): Step[] {
  const blocks = blocksIn(page, "CONTRIBUTING.md").filter((block) => block.title === title);
  if (blocks.length === 0) throw new Error(`"${title}" has no block`);
  return blocks.map(stepOf);
}

function stepOf({ language, text, above, title }: Block): Step {
  if (language === "sh") return { run: text };
  const [, file] = /`([\w./-]+\.\w+)`:$/.exec(above) ?? [];
  if (file === undefined)
    throw new Error(`the line above a block of "${title}" does not end with its file: ${above}`);
  return language === "diff" ? { file, changes: changesOf(text, file) } : { file, create: text };
}

/** Reads a diff without line numbers; `@@` stands between two places of a file. */
function changesOf(text: string, file: string): Change[] {
  return text.split(/^@@\n/m).map((part) => {
    const lines = part.trimEnd().split("\n");
    const wrong = lines.find((line) => !/^[ +-]/.test(line));
    if (wrong !== undefined)
      throw new Error(`a line of the diff of ${file} starts with neither blank, + nor -: ${wrong}`);
    const without = (sign: string) =>
      lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`);
    return { from: without("+").join(""), to: without("-").join("") };
  });
}

/** Performs a step that writes a file below a folder, and returns the file's path. */
export function apply(step: Exclude<Step, { run: string }>, root: string): string {
  const file = step.file.replace("NNNN", () => numberAfter(join(root, dirname(step.file))));
  const path = join(root, file);
  if ("create" in step) {
    if (existsSync(path)) throw new Error(`${file} exists already`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.create);
  } else
    writeFileSync(
      path,
      step.changes.reduce((text, change) => changed(text, change, file), readFileSync(path, "utf8")),
    );
  return file;
}

function changed(text: string, { from, to }: Change, file: string): string {
  const places = `\n${text}`.split(`\n${from}`);
  if (from === "" || places.length !== 2)
    throw new Error(`${file} has these lines ${places.length - 1} times:\n${from}`);
  return places.join(`\n${to}`).slice(1);
}

/** The number of the next migration. */
function numberAfter(folder: string): string {
  const numbers = readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0);
  return String(Math.max(...numbers) + 1).padStart(4, "0");
}
