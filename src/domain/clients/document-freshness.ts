import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../../core/refusal.ts";
import type { Service } from "../operation/service/service.ts";
import { type HitOutcome, hitOf, TAKE } from "./registration-limit.ts";

/**
 * Counts the fetch of a document against the limit of the address that caused it: as many an hour as registrations,
 * counted separately.
 */
export async function countDocumentFetch(service: Service, ip: string): Promise<void> {
  const values = hitOf(service, ip, "document ");
  const [outcome] = await service.db.together<HitOutcome>([{ text: TAKE, values }]);
  if (outcome?.taken === true) return;
  throw new Refusal(
    "too_many",
    "too_many_documents",
    "Too many applications were looked up from your IP address within an hour. Try again later.",
    { retryAfter: Math.max(1, outcome?.wait ?? 3_600) },
  );
}

const LONGEST = 86_400;
const UNSAID = 3_600;

/** For how many seconds a document may be kept (RFC 9111 4.2, 5.2.2): at most a day, and an hour without a header. */
export function freshFor(headers: IncomingHttpHeaders): number {
  const directives = (headers["cache-control"] ?? "").toLowerCase().split(",");
  const says = new Map(
    directives.map((each): [string, string] => {
      const [name = "", value = ""] = each.trim().split("=");
      return [name, value.replaceAll('"', "")];
    }),
  );
  if (["no-store", "no-cache", "private"].some((name) => says.has(name))) return 0;
  const age = secondsIn(headers.age) ?? 0;
  const named = says.get("s-maxage") ?? says.get("max-age");
  if (named !== undefined) return within((secondsIn(named) ?? 0) - age);
  if (headers.expires === undefined) return UNSAID;
  const ends = Date.parse(headers.expires);
  const now = Date.parse(headers.date ?? "") || Date.now();
  return Number.isNaN(ends) ? 0 : within((ends - now) / 1_000 - age);
}

const secondsIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

const within = (seconds: number): number => Math.min(LONGEST, Math.max(0, Math.floor(seconds)));
