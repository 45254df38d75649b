/** Maximum length of a URI; all valid ones are shorter. */
const LONGEST = 5_000;

/**
 * Returns a reader of URIs of a template such as `leads://leads/{lead_id}` (RFC 6570, level 1). `from` names
 * the one query parameter that continues a long resource, as in the URIs that answers return as `next`.
 */
export function uriReader(
  template: string,
  from?: "offset" | "cursor",
): (uri: string) => Record<string, string> | undefined {
  const path = template.replace(/\{(\w+)\}/g, "(?<$1>[^/?#]+)");
  const form = new RegExp(`^${path}${from === undefined ? "" : `(?:\\?${from}=(?<${from}>[^&#]+))?`}$`);
  return (uri) => {
    const named = uri.length > LONGEST ? undefined : form.exec(uri)?.groups;
    if (named === undefined) return undefined;
    try {
      const known = Object.entries(named).filter((each): each is [string, string] => each[1] !== undefined);
      return Object.fromEntries(known.map(([name, text]) => [name, decodeURIComponent(text)]));
    } catch {
      return undefined;
    }
  };
}

/** Returns the offset in a URI; undefined if it is not a number in the form that `next` has. */
export function offsetOf({ offset = "0" }: Record<string, string>): number | undefined {
  return /^\d{1,15}$/.test(offset) ? Number(offset) : undefined;
}
