const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/**
 * The text behind a header that repeats part of the body (MCP 2026-07-28, Streamable HTTP, value encoding);
 * undefined where it claims to be base64 and does not decode to UTF-8.
 */
export function headerText(value: string): string | undefined {
  if (!value.startsWith("=?base64?")) return value;
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== encoded.replace(/=+$/, "")) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
