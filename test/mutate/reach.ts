import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { SourceMap, type SourceMapping } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Mutant } from "./mutants.ts";
import { sourceOf, type Workbench } from "./workbench.ts";

/** What a test file ran: for each source file the spans of its functions' text that were executed. */
export interface Ran {
  test: string;
  ms: number;
  spans: Record<string, [start: number, end: number][]>;
}

interface Script {
  url: string;
  /** The text of a page's script. */
  source?: string;
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

const LIMIT_MS = 600_000;

/** Runs a test file with V8's coverage, in all of its processes; undefined if it fails without any mutant. */
export async function ranBy(bench: Workbench, test: string): Promise<Ran | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-coverage-"));
  try {
    const { outcome, ms } = await bench.run(test, LIMIT_MS, { NODE_V8_COVERAGE: folder });
    if (outcome !== "passed") return undefined;
    const painted = new Map<string, Canvas>();
    const canvas = (file: string): Canvas => {
      const text = readFileSync(join(bench.folder, file), "utf8");
      const known = painted.get(file) ?? { text, paint: new Uint8Array(text.length) };
      painted.set(file, known);
      return known;
    };
    const pages = new Map<string, Uint8Array>();
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { result: Script[] };
      for (const script of result) {
        const file = sourceOf(script.url, bench.folder);
        if (file !== undefined) unite(canvas(file).paint, script);
        if (script.source === undefined) continue;
        const page = pages.get(script.source) ?? new Uint8Array(script.source.length);
        pages.set(script.source, page);
        unite(page, script);
      }
    }
    for (const [source, ran] of pages) paintSources(source, ran, canvas);
    const spans = Object.fromEntries([...painted].map(([file, { paint }]) => [file, spansOf(paint)]));
    return { test, ms, spans };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unite(paint: Uint8Array, script: Script): void {
  const own = paintOf(script, paint.length);
  for (let i = 0; i < paint.length; i += 1) paint[i] = (paint[i] ?? 0) | (own[i] ?? 0);
}

/** One byte a character: 1 where a function ran. Node erases types in place, so the offsets are those of the source. */
function paintOf({ functions }: Script, size: number): Uint8Array {
  const paint = new Uint8Array(size);
  const ranges = functions.flatMap((each) => each.ranges);
  for (const { startOffset, endOffset, count } of ranges.sort(
    (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset,
  )) {
    const isModule = startOffset === 0 && endOffset >= size;
    paint.fill(count > 0 && !isModule ? 1 : 0, startOffset, endOffset);
  }
  return paint;
}

/** A source file, and one byte a character: 1 where it ran. */
interface Canvas {
  text: string;
  paint: Uint8Array;
}

const INLINE_MAP = /^\/\/# sourceMappingURL=data:application\/json;[^,]*base64,(.+)$/m;

/** Paints the lines of the panel's sources that a page's script executed, by the map at its end. */
function paintSources(script: string, ran: Uint8Array, canvas: (file: string) => Canvas): void {
  const [, encoded] = INLINE_MAP.exec(script) ?? [];
  if (encoded === undefined) return;
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString()));
  let at = 0;
  for (const [row, line] of script.split("\n").entries()) {
    const start = at;
    const column = [...line].findIndex((letter, i) => letter.trim() !== "" && ran[start + i] === 1);
    at += line.length + 1;
    if (column < 0) continue;
    const { originalSource = "", originalLine = 0 }: Partial<SourceMapping> = map.findEntry(row, column);
    const [, file = ""] = /((?:web\/)?src\/.+)$/.exec(originalSource) ?? [];
    if (file === "" || originalSource.includes("/node_modules/") || !existsSync(file)) continue;
    const { text, paint } = canvas(file);
    const begin = text.split("\n", originalLine).join("\n").length;
    paint.fill(1, begin, `${text}\n`.indexOf("\n", begin + 1));
  }
}

function spansOf(paint: Uint8Array): [number, number][] {
  const spans: [number, number][] = [];
  let start = -1;
  for (let i = 0; i <= paint.length; i += 1) {
    const on = paint[i] === 1;
    if (on && start < 0) start = i;
    if (!on && start >= 0) {
      spans.push([start, i]);
      start = -1;
    }
  }
  return spans;
}

/** The text of each source file, by its path. */
export type Sources = ReadonlyMap<string, string>;

/**
 * The tests that execute a mutant, those first that spend the largest part of their code on its folder and take little
 * time. A constant is executed where its name is used. Of code whose coverage nobody sees, such as a thread's, these are
 * the tests of what starts it, and else all that load it.
 */
export function relatedTests(mutant: Mutant, ran: readonly Ran[], sources: Sources): Ran[] {
  const places =
    mutant.constant === undefined
      ? [{ file: mutant.file, at: mutant.start }]
      : usesOf(mutant.constant, mutant.file, sources);
  const room = `${dirname(mutant.file)}/`;
  const share = ({ spans }: Ran): number => {
    let all = 1;
    let here = 0;
    for (const [file, of] of Object.entries(spans)) {
      const length = of.reduce((sum, [start, end]) => sum + end - start, 0);
      all += length;
      if (file.startsWith(room)) here += length;
      if (file === mutant.file) here += 4 * length;
    }
    return here / all;
  };
  const by = (some: readonly Place[]) => ran.filter((each) => some.some((place) => reaches(each, place)));
  const found = [by(places), by(startsOf(mutant.file, sources))].find((some) => some.length > 0);
  return (found ?? ran.filter(({ spans }) => mutant.file in spans))
    .map((each) => ({ each, part: share(each) / Math.sqrt(each.ms) }))
    .sort((a, b) => b.part - a.part)
    .map(({ each }) => each);
}

interface Place {
  file: string;
  at: number;
}

const reaches = ({ spans }: Ran, { file, at }: Place): boolean =>
  (spans[file] ?? []).some(([start, end]) => start <= at && at < end);

/** Where a file's name stands in other files. */
function startsOf(file: string, sources: Sources): Place[] {
  const name = new RegExp(literal(`/${file.split("/").at(-1)}"`), "g");
  return [...sources]
    .filter(([other]) => other !== file)
    .flatMap(([other, text]) => [...text.matchAll(name)].map(({ index }) => ({ file: other, at: index })));
}

/** The pattern of a name, whose only special characters are dots and dollars. */
const literal = (name: string): string => name.replaceAll(/[.$]/g, "\\$&");

/** Before a name that is no member of something: no letter, and no dot unless it spreads. */
const BEGIN = "(?<![\\w$])(?<!(?<!\\.\\.)\\.)";

/** Where a constant's name stands: in its own file, and in files that import it; through other constants too. */
function usesOf(name: string, file: string, sources: Sources, seen = new Set<string>()): Place[] {
  const key = `${file}#${name}`;
  if (seen.has(key)) return [];
  seen.add(key);
  const own = literal(name);
  const base = literal(`/${file.split("/").at(-1)}`);
  const places: Place[] = [];
  for (const [other, text] of sources) {
    const isImported = new RegExp(`${base}"`).test(text);
    const whole = new RegExp(`^import \\* as (\\w+) from "[^"]*${base}"`, "m").exec(text)?.[1];
    const word = new RegExp(
      whole === undefined
        ? `${BEGIN}${own}(?![\\w$])`
        : `${BEGIN}${whole}(?:\\.${own}(?![\\w$])|(?![\\w$.]))`,
      "g",
    );
    if (name === "" ? other !== file : other !== file && !isImported) continue;
    for (const { index } of name === "" ? [{ index: 0 }] : text.matchAll(word)) {
      places.push({ file: other, at: index });
      const [, outer] = /^(?:export )?const (\w+)[^\n]*$/m.exec(lineAround(text, index)) ?? [];
      const holder = outer ?? holderOf(text, index);
      if (holder !== undefined && holder !== name) places.push(...usesOf(holder, other, sources, seen));
    }
  }
  return places;
}

const lineAround = (text: string, at: number): string =>
  text.slice(text.lastIndexOf("\n", at) + 1, `${text}\n`.indexOf("\n", at));

/** The top-level constant whose declaration began last before this place; undefined in a function, which tells itself. */
const holderOf = (text: string, at: number): string | undefined =>
  [...text.slice(0, at).matchAll(/^(?:export )?(?:const (\w+)|(?:async )?function)/gm)].at(-1)?.[1];
