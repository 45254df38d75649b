/**
 * What a migration means for the releases before it: none of them notices it (`expand`), or only releases from `needs` on work
 * on it. Without a transaction, its statements are applied one after another.
 */
export type Header = { kind: "expand"; transaction: boolean } | { kind: "contract"; needs: string };

const EXPAND = /^-- expand$/;
const CONTRACT = /^-- contract, needs (\d+\.\d+\.\d+)$/;
const WITHOUT_TRANSACTION = "-- without a transaction";

/**
 * Returns what the comment at the start of a migration's SQL says that it is; undefined if it does not say it, as the files
 * before 0062, says it twice, or is a contract without a transaction, which nothing could take back.
 */
export function headerOf(sql: string): Header | undefined {
  const lines = sql.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("--"));
  const comment = lines.slice(0, end === -1 ? undefined : end);
  const transaction = !comment.includes(WITHOUT_TRANSACTION);
  const found = comment.flatMap((line): Header[] => {
    if (EXPAND.test(line)) return [{ kind: "expand", transaction }];
    const needs = CONTRACT.exec(line)?.[1];
    return needs === undefined || !transaction ? [] : [{ kind: "contract", needs }];
  });
  return found.length === 1 ? found[0] : undefined;
}
