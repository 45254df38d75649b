/** The parameters of a call. */
export interface Asked {
  params?: Readonly<Record<string, string>> | undefined;
  query?: object | undefined;
}

/**
 * Returns the path of a call with its parameters filled in, and its query string: absent values are left out, lists
 * are joined with commas.
 */
export function pathOf(path: string, { params = {}, query = {} }: Asked): string {
  const filled = path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value == null ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}
