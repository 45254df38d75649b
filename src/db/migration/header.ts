/** What a migration means for the releases before it: none of them notices it, or only releases from `needs` on work on it. */
export type Header = { kind: "expand" } | { kind: "contract"; needs: string };

const EXPAND = /^-- expand$/;
const CONTRACT = /^-- contract, needs (\d+\.\d+\.\d+)$/;

/**
 * Returns what the comment at the start of a migration's SQL says that it is; undefined if it does not say it, as the files
 * before 0062, or says it twice.
 */
export function headerOf(sql: string): Header | undefined {
  const lines = sql.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("--"));
  const found = lines.slice(0, end === -1 ? undefined : end).flatMap((line): Header[] => {
    if (EXPAND.test(line)) return [{ kind: "expand" }];
    const needs = CONTRACT.exec(line)?.[1];
    return needs === undefined ? [] : [{ kind: "contract", needs }];
  });
  return found.length === 1 ? found[0] : undefined;
}
