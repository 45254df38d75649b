import type { AdmissionSettings } from "../core/admission.ts";
import { membersOf } from "./json-setting.ts";

const USUAL = { inFlight: 64, waiting: 250, waitMs: 1_000, loopDelayMs: 250 };
const NAMES = ["inFlight", "perOwner", "waiting", "waitMs", "loopDelayMs"] as const;
const MOST = 1_000_000;

/** Reads ADMISSION; throws an error that names the invalid part. */
export function readAdmission(given: unknown): AdmissionSettings {
  const asked = membersOf("ADMISSION", given, NAMES);
  const inFlight = wholeAt("inFlight", asked.inFlight, 1) ?? USUAL.inFlight;
  // A quarter stays for others even while everything that one owner asks for is slow.
  const perOwner = wholeAt("perOwner", asked.perOwner, 1) ?? Math.ceil(inFlight * 0.75);
  if (perOwner > inFlight)
    throw new Error(
      `ADMISSION: perOwner is ${perOwner}; it must not be above inFlight, which is ${inFlight}.`,
    );
  return {
    inFlight,
    perOwner,
    waiting: wholeAt("waiting", asked.waiting, 0) ?? USUAL.waiting,
    waitMs: wholeAt("waitMs", asked.waitMs, 1) ?? USUAL.waitMs,
    loopDelayMs: wholeAt("loopDelayMs", asked.loopDelayMs, 1) ?? USUAL.loopDelayMs,
  };
}

/** An integer of at least `least`; undefined if none is given. */
function wholeAt(name: string, given: unknown, least: number): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "number" && Number.isInteger(given) && given >= least && given <= MOST) return given;
  throw new Error(
    `ADMISSION: ${name} is ${JSON.stringify(given)}; it must be an integer from ${least} to ${MOST}.`,
  );
}
