import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../core/refusal.ts";
import type { Service } from "../../domain/operation/service/service.ts";

/** What the panel's first page loads, as paths under /panel/. */
interface Entry {
  script: string;
  styles: string[];
  /** Scripts that the first one imports immediately. */
  ahead: string[];
}

interface Chunk {
  file: string;
  isEntry?: boolean;
  css?: string[];
  imports?: string[];
}

let read: { path: string; at: number; entry: Entry } | undefined;

/** Returns the entry of the built panel from Vite's manifest, read again after each build. 503 without a build. */
export async function builtPanel({ config }: Pick<Service, "config">): Promise<Entry> {
  const path = join(config.panelDir, ".vite/manifest.json");
  try {
    const { mtimeMs: at } = await stat(path);
    if (read?.path !== path || read.at !== at) {
      const manifest = JSON.parse(await readFile(path, "utf8")) as Record<string, Chunk>;
      read = { path, at, entry: entryOf(manifest) };
    }
    return read.entry;
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ENOENT") throw cause;
    throw new Refusal(
      "unavailable",
      "panel_not_built",
      "The panel is not built yet. Run npm run build, then reload this page.",
    );
  }
}

function entryOf(manifest: Record<string, Chunk>): Entry {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry === true);
  if (entry === undefined) throw new Error("the panel's manifest has no entry");
  const ahead = new Set<Chunk>();
  const follow = ({ imports = [] }: Chunk): void => {
    for (const chunk of imports.flatMap((name) => manifest[name] ?? [])) {
      if (ahead.has(chunk)) continue;
      ahead.add(chunk);
      follow(chunk);
    }
  };
  follow(entry);
  const styles = [...ahead, entry].flatMap(({ css = [] }) => css);
  return {
    script: entry.file,
    styles: [...new Set(styles)],
    ahead: [...ahead].map(({ file }) => file),
  };
}
