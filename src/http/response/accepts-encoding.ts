import type { FastifyRequest } from "fastify";

const NAMED = { br: named("br"), gzip: named("gzip") };

/** Whether Accept-Encoding names the encoding, unless with `q=0` (RFC 9110, 12.5.3). `*` is not enough. */
export function acceptsEncoding({ headers }: FastifyRequest, encoding: keyof typeof NAMED): boolean {
  const accepted = headers["accept-encoding"];
  return accepted !== undefined && NAMED[encoding].test(String(accepted));
}

function named(encoding: string): RegExp {
  return new RegExp(`(?:^|[,\\s])${encoding}\\s*(?:,|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$))|$)`, "i");
}
