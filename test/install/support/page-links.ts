import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Returns where the links of a page lead, but for URLs. In code, brackets are no links. */
export function linksOf(text: string): string[] {
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns the links of the pages among some files of a folder that lead to a file that is not one of them. */
export function linksOutside(folder: string, files: ReadonlySet<string>): string[] {
  const pages = [...files].filter((path) => path.endsWith(".md"));
  if (pages.length < 30) throw new Error(`only ${pages.length} pages`);
  return pages.flatMap((page) =>
    linksOf(readFileSync(join(folder, page), "utf8"))
      .filter((target) => !target.startsWith("#"))
      .map((target) => normalize(join(dirname(page), decodeURI(target.replace(/#.*/, "")))))
      .filter((target) => !files.has(target))
      .map((target) => `${page}: ${target}`),
  );
}
