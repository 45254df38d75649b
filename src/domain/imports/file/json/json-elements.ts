import { Refusal } from "../../../../core/refusal.ts";
import { MOST_CHARACTERS } from "../shape/import-file.ts";

/** An element of an array: its JSON and the line where it starts. */
interface JsonElement {
  line: number;
  json: string;
}

/** Finds the elements of an array in pieces of its text; `end` refuses an array that is cut off. */
interface ElementScanner {
  push(chunk: string): JsonElement[];
  end(): void;
}

/**
 * What is read: the text before the array (in an object, its other members), between and in elements, and the rest. An
 * array in an object is the one with the elements if its first one is an object.
 */
type Phase = "start" | "object" | "maybe" | "first" | "next" | "element" | "after" | "rest";

/**
 * Returns a scanner for the elements of an array of any length, or of the first array of objects in an object. It holds
 * one element and checks only brackets and quotes; elements are parsed by its caller.
 */
export function elementScanner(): ElementScanner {
  let phase: Phase = "start";
  let [line, depth, base, startLine] = [1, 0, 1, 1];
  let [quoted, escaped] = [false, false];
  let [part, from] = ["", 0];
  const found: JsonElement[] = [];
  const finish = (text: string): void => {
    const json = (part + text).trim();
    if (json.length > MOST_CHARACTERS) throw tooLong(startLine);
    found.push({ line: startLine, json });
    part = "";
  };
  const begin = (at: number): void => {
    phase = "element";
    from = at;
    startLine = line;
  };
  /** Takes a bracket, comma or first character of another value, outside strings. */
  const take = (character: string, at: number, chunk: string): void => {
    const step = STEPS.get(character) ?? 0;
    if (phase === "maybe" && character !== "{") phase = "object";
    switch (phase) {
      case "start":
        if (step !== 1) throw broken(line);
        phase = character === "[" ? "first" : "object";
        break;
      case "object":
        if (character === "[" && depth === 1) phase = "maybe";
        if (step === -1 && depth === 1) throw broken(line);
        break;
      case "maybe":
        base = 2;
        begin(at);
        break;
      case "first":
      case "next":
        if (character === "," || (step === -1 && phase === "next") || character === "}") throw broken(line);
        if (step === -1) phase = "rest";
        else begin(at);
        break;
      case "element":
        if (depth > base) {
          if (step !== -1 || depth > base + 1) break;
          finish(chunk.slice(from, at + 1));
          phase = "after";
        } else if (character === "," || character === "]") {
          finish(chunk.slice(from, at));
          phase = character === "," ? "next" : "rest";
        } else if (step !== 0) throw broken(line);
        break;
      case "after":
        if (character !== "," && character !== "]") throw broken(line);
        phase = character === "," ? "next" : "rest";
        break;
      case "rest":
        if (depth === 0) throw broken(line);
    }
    depth += step;
  };
  return {
    push(chunk) {
      found.length = 0;
      from = 0;
      for (let i = 0; i < chunk.length; i += 1) {
        const code = chunk.charCodeAt(i);
        if (code === BREAK) line += 1;
        if (quoted) {
          if (escaped) escaped = false;
          else if (code === BACKSLASH) escaped = true;
          else if (code === QUOTE) quoted = false;
          continue;
        }
        if (code <= SPACE) continue;
        if (code === QUOTE) quoted = true;
        // Within an element, only what changes the depth or ends it matters.
        if (phase === "element" && !isMark(code)) continue;
        take(chunk.charAt(i), i, chunk);
      }
      if (phase === "element") part += chunk.slice(from);
      if (part.length > MOST_CHARACTERS) throw tooLong(startLine);
      return found;
    },
    end() {
      if (phase !== "rest" || depth !== 0) throw broken(phase === "element" ? startLine : line);
    },
  };
}

const [BREAK, SPACE, QUOTE, BACKSLASH, COMMA] = [10, 32, 34, 92, 44];
const STEPS: ReadonlyMap<string, number> = new Map([
  ...([
    ["[", 1],
    ["{", 1],
  ] as const),
  ...([
    ["]", -1],
    ["}", -1],
  ] as const),
]);

const isMark = (code: number): boolean =>
  code === COMMA || code === 91 || code === 93 || code === 123 || code === 125;

const broken = (line: number): Refusal =>
  new Refusal(
    "unprocessable",
    "not_json",
    `The file is not a valid JSON array of objects; see line ${line}. Export it again, or send it as CSV.`,
  );

const tooLong = (line: number): Refusal =>
  new Refusal(
    "unprocessable",
    "line_too_long",
    `The object that starts at line ${line} has more than ${MOST_CHARACTERS} characters.`,
  );
