import type { FastifyRequest } from "fastify";
import type { Fault } from "../../core/refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The request's warnings, for a header of its response. */
    warnings: Fault[] | null;
  }
}

/** Proxies buffer all headers of a response in 4 KB. */
const LONGEST = 2_000;
const LONGEST_MESSAGE = 600;

/** Starts to collect the warnings of a request, for a header of its response. */
export function keepWarnings(request: FastifyRequest): Fault[] {
  const warnings: Fault[] = [];
  request.warnings = warnings;
  return warnings;
}

/** Returns the header with the request's warnings, if there are any. */
export function warningHeader(request: FastifyRequest): Record<string, string> {
  const value = warningValue(request.warnings ?? []);
  return value === undefined ? {} : { "X-Leadgate-Warning": value };
}

/** Returns the first warnings that fit a header, as a JSON array in printable ASCII; undefined if there are none. */
function warningValue(warnings: readonly Fault[]): string | undefined {
  let value: string | undefined;
  for (let count = 1; count <= warnings.length; count += 1) {
    const longer = ascii(JSON.stringify(warnings.slice(0, count).map(shortened)));
    if (longer.length > LONGEST && value !== undefined) break;
    value = longer;
  }
  return value;
}

const shortened = ({ path, code, message }: Fault): Fault => ({
  path: path.slice(0, LONGEST_MESSAGE / 4),
  code,
  message: message.length > LONGEST_MESSAGE / 2 ? `${message.slice(0, LONGEST_MESSAGE / 2)}...` : message,
});

/** JSON with everything but printable ASCII escaped, so that it can neither end the header nor be misread. */
const ascii = (json: string): string =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
