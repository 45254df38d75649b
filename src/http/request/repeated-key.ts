const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const OPEN = [91, 123] as const;
const CLOSE = [93, 125] as const;

/** An object or array that is not closed yet: the keys of an object, the index in an array. */
interface Level {
  keys: Set<string> | undefined;
  key: string;
  place: number;
}

/**
 * Returns the JSON path of the first repeated key of an object, of which JSON.parse silently keeps the last;
 * undefined if there is none. The text must be valid JSON; it is read once, skipping strings.
 */
export function repeatedKey(text: string): string | undefined {
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = endOfString(text, at);
      if (level?.keys !== undefined && isKey(text, end)) {
        level.key = keyOf(text, at, end);
        if (level.keys.has(level.key)) return pathOf(levels);
        level.keys.add(level.key);
      }
      at = end;
    } else if (character === OPEN[0] || character === OPEN[1]) {
      level = { keys: character === OPEN[1] ? new Set() : undefined, key: "", place: 0 };
      levels.push(level);
    } else if (character === CLOSE[0] || character === CLOSE[1]) {
      levels.pop();
      level = levels.at(-1);
    } else if (character === COMMA && level !== undefined) level.place += 1;
  }
  return undefined;
}

/** Returns the number of keys in a JSON value, at all depths. */
export function keyCount(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += keyCount(item);
    return count;
  }
  for (const key in value) count += 1 + keyCount((value as Record<string, unknown>)[key]);
  return count;
}

/** Returns where the string that starts here ends; a quote after an odd number of backslashes is escaped. */
export function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); ; end = text.indexOf('"', end + 1)) {
    if (end === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}

/** Whether a colon follows the string that ends here. */
function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= 32) at += 1;
  return text.charCodeAt(at) === COLON;
}

/** Returns the decoded key: `"\\u0061"` is `"a"`. */
function keyOf(text: string, begin: number, end: number): string {
  const key = text.slice(begin + 1, end);
  return key.includes("\\") ? String(JSON.parse(`"${key}"`)) : key;
}

const pathOf = (levels: readonly Level[]): string =>
  levels.reduce(
    (path, { keys, key, place }) => path + (keys === undefined ? `[${place}]` : `.${key.slice(0, 60)}`),
    "$",
  );
