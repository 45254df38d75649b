import ipaddr from "ipaddr.js";
import { LIMIT_NAMES, type Limit, type LimitName, type Limits } from "../core/limit.ts";

/** So many hits a minute or an hour, `burst` of them at once. */
interface Rate {
  perMinute?: number;
  perHour?: number;
  burst: number;
}

/** How many invitations may be sent in any hour or day: by a person, in a project, to a recipient. */
export interface Invitations {
  perHour: number | null;
  projectPerHour: number | null;
  recipientPerDay: number | null;
}

/** The limits in LIMITS: buckets, registrations, failed sign-ins, and invitations. */
interface Read {
  limits: Limits;
  registrationsPerHour: number | null;
  registrationRanges: Record<string, number | null>;
  signInFailures: { perMinute: number; burst: number } | null;
  invitations: Invitations;
}

// Limits per address are generous, because cloud assistants and offices share addresses.
const USUAL: Record<LimitName, Rate> = {
  datasetReads: { perMinute: 3_000, burst: 300 },
  datasetWrites: { perMinute: 600, burst: 100 },
  datasetImports: { perHour: 10, burst: 2 },
  api: { perMinute: 6_000, burst: 1_000 },
  mcp: { perMinute: 1_200, burst: 300 },
  token: { perMinute: 3_000, burst: 600 },
  introspect: { perMinute: 3_000, burst: 600 },
  revoke: { perMinute: 3_000, burst: 600 },
};

const MINUTE = 60_000_000;

/** Reads LIMITS; throws an error that names the invalid part. */
export function readLimits(given: unknown): Read {
  const { registration, signIn, invitations, ...buckets } = objectAt("LIMITS", given, [
    ...LIMIT_NAMES,
    "registration",
    "signIn",
    "invitations",
  ]);
  const limits = Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, limitOf(name, buckets[name])]),
  ) as Limits;
  const registered =
    registration === null ? null : objectAt("registration", registration, ["perHour", "ranges"]);
  return {
    limits,
    registrationsPerHour: registered && countAt("registration.perHour", registered.perHour, 10),
    registrationRanges: rangesOf(registered?.ranges),
    signInFailures: signIn === null ? null : failuresOf(signIn),
    invitations: invitationsOf(invitations),
  };
}

function limitOf(name: LimitName, given: unknown): Limit | null {
  if (given === null) return null;
  const asked = objectAt(name, given, ["perMinute", "perHour", "burst"]);
  const perMinute = rateAt(`${name}.perMinute`, asked.perMinute, undefined);
  const perHour = rateAt(`${name}.perHour`, asked.perHour, undefined);
  const burst = numberAt(`${name}.burst`, asked.burst) ?? USUAL[name].burst;
  if (perMinute !== undefined && perHour !== undefined) {
    throw new Error(`LIMITS: ${name} has both perMinute and perHour; keep only one of them.`);
  }
  if (!Number.isInteger(burst)) throw new Error(`LIMITS: ${name}.burst is ${burst}; it must be an integer.`);
  if (perMinute === null || perHour === null) return null;
  const usual = USUAL[name];
  const rate =
    perMinute ?? (perHour === undefined ? (usual.perMinute ?? (usual.perHour ?? 1) / 60) : perHour / 60);
  return { each: Math.ceil(MINUTE / rate), burst };
}

function failuresOf(given: unknown): { perMinute: number; burst: number } | null {
  const asked = objectAt("signIn", given, ["perMinute", "burst"]);
  const perMinute = rateAt("signIn.perMinute", asked.perMinute, 1, 0);
  const burst = numberAt("signIn.burst", asked.burst, 0) ?? 10;
  return perMinute === null ? null : { perMinute, burst };
}

function invitationsOf(given: unknown): Invitations {
  if (given === null) return { perHour: null, projectPerHour: null, recipientPerDay: null };
  const asked = objectAt("invitations", given, ["perHour", "projectPerHour", "recipientPerDay"]);
  const most = (name: keyof Invitations, usual: number): number | null =>
    countAt(`invitations.${name}`, asked[name], usual);
  return {
    perHour: most("perHour", 20),
    projectPerHour: most("projectPerHour", 40),
    recipientPerDay: most("recipientPerDay", 3),
  };
}

function rangesOf(given: unknown): Record<string, number | null> {
  const ranges = Object.entries(objectAt("registration.ranges", given));
  for (const [range, most] of ranges) {
    if (!ipaddr.isValidCIDR(range)) {
      throw new Error(`LIMITS has the range "${range}"; write it as 203.0.113.0/24.`);
    }
    countAt(`registration.ranges["${range}"]`, most, undefined);
  }
  return Object.fromEntries(ranges) as Record<string, number | null>;
}

/** An object, empty if none is given. Refuses unknown keys, so that a typo does not silently mean the default. */
function objectAt(name: string, given: unknown, known?: readonly string[]): Record<string, unknown> {
  if (given === undefined) return {};
  const where = name === "LIMITS" ? name : `LIMITS: ${name}`;
  const isLimit = name !== "LIMITS" && name !== "registration.ranges";
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Error(
      `${where} is ${JSON.stringify(given)}; it must be an object${isLimit ? ", or null" : ""}.`,
    );
  }
  const foreign = known && Object.keys(given).find((key) => !known.includes(key));
  if (foreign !== undefined) {
    throw new Error(`${where} has the unknown key "${foreign}"; the known keys are ${known?.join(", ")}.`);
  }
  return given as Record<string, unknown>;
}

/** The rate of a limit: null lifts the limit; `usual` if none is given. */
const rateAt = <T>(name: string, given: unknown, usual: T, least?: number): number | null | T =>
  given === null ? null : (numberAt(name, given, least, ", or null") ?? usual);

/** A rate that is counted in whole calls. */
function countAt<T>(name: string, given: unknown, usual: T): number | null | T {
  const rate = rateAt(name, given, usual);
  if (typeof rate !== "number" || Number.isInteger(rate)) return rate;
  throw new Error(`LIMITS: ${name} is ${rate}; it must be an integer, or null.`);
}

/** A number above zero, or at least `least`; undefined if none is given. */
function numberAt(name: string, given: unknown, least?: number, orElse = ""): number | undefined {
  if (given === undefined) return undefined;
  const fits =
    typeof given === "number" &&
    Number.isFinite(given) &&
    (least === undefined ? given > 0 : given >= least) &&
    given <= 1_000_000_000;
  if (fits) return given;
  const wanted = least === undefined ? "above 0" : `of at least ${least}`;
  throw new Error(`LIMITS: ${name} is ${JSON.stringify(given)}; it must be a number ${wanted}${orElse}.`);
}
