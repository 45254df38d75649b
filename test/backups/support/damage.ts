import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pick, randomFrom } from "../../api/support/random-filter.ts";

/** A folder with a backup and its archive, and what a damage can take from elsewhere. */
export interface Site {
  /** The folder to be damaged. */
  folder: string;
  /** The same folder at an earlier time. */
  earlier: string;
  /** Segments of another server, by the names that they would have here. */
  foreign: string;
}

/** The files that a restore of the newest backup needs, by their paths in the folder. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => /^(leadgate|log)-/.test(name) && !/counted-/.test(name))
    .sort();
}

const isSegment = (name: string): boolean => /^log-.*[0-9A-F]{24}/.test(name);

/** Damages a folder in one of seven ways; returns what was done to which file. */
export function damage({ folder, earlier, foreign }: Site, seed: number): string {
  const random = randomFrom(seed);
  const files = filesOf(folder);
  const segments = files.filter(isSegment);
  const complete = segments.filter((name) => name.includes(".zst"));
  const growing = files.filter((name) => name.includes(".partial"));
  const ways: (() => string)[] = [
    () => {
      const file = pick(random, files);
      rmSync(join(folder, file));
      return `${file} deleted`;
    },
    () => {
      const file = pick(random, files);
      const bytes = readFileSync(join(folder, file));
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8));
      writeFileSync(join(folder, file), bytes);
      return `${file}: a bit of byte ${at} of ${bytes.length} flipped`;
    },
    () => {
      const file = pick(random, files);
      const bytes = readFileSync(join(folder, file));
      const length = Math.floor(random() * bytes.length);
      writeFileSync(join(folder, file), bytes.subarray(0, length));
      return `${file}: cut to ${length} of ${bytes.length} bytes`;
    },
    () => {
      const one = pick(random, complete);
      const other = pick(
        random,
        complete.filter((name) => name !== one),
      );
      renameSync(join(folder, one), join(folder, "swap"));
      renameSync(join(folder, other), join(folder, one));
      renameSync(join(folder, "swap"), join(folder, other));
      return `${one} and ${other} swapped`;
    },
    () => {
      // Of a folder that grew while it was copied: segments as they were earlier, and the rest of later.
      for (const name of segments) rmSync(join(folder, name));
      for (const name of filesOf(earlier).filter(isSegment)) cpSync(join(earlier, name), join(folder, name));
      return "all segments as they were earlier";
    },
    () => {
      const last = 1 + Math.floor(random() * 3);
      for (const name of segments.slice(-last)) rmSync(join(folder, name));
      return `the last ${last} segments were not copied`;
    },
    () => {
      const file = pick(random, [...complete, ...growing]);
      const name =
        readdirSync(foreign).find((each) => file.endsWith(each)) ?? pick(random, readdirSync(foreign));
      cpSync(join(foreign, name), join(folder, file));
      return `${file} replaced by a segment of another server`;
    },
  ];
  return pick(random, ways)();
}
