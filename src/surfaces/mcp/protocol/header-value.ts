const ENCODED = /^=\?base64\?(.*)\?=$/s;
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Decodes a header that repeats part of the body (MCP 2026-07-28, Streamable HTTP, value encoding); undefined
 * if it is marked as base64 and does not decode to UTF-8. An incomplete mark is plain text.
 */
export function headerText(value: string): string | undefined {
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return value;
  if (!CANONICAL.test(encoded)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return undefined;
  }
}
