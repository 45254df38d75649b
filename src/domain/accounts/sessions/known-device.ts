import { randomBytes } from "node:crypto";
import { macOf, sameText } from "../../../core/secret.ts";
import type { Service } from "../../operation/service/service.ts";

/**
 * A browser's device cookie: `<128 random bits>_<tag>_<tag>…`, a tag for each account that signed in there, newest
 * first. A tag is a MAC over device and account, so the cookie reveals no account and cannot be forged.
 */
const MARK = /^([0-9a-f]{32})((?:_[0-9a-f]{20}){1,7})$/;
const MOST = 7;

/** The device part of the browser's cookie if this person has signed in on it before. */
export function deviceOf(
  service: Service,
  mark: string | undefined,
  personId: string | undefined,
): string | undefined {
  const [, device, tags = ""] = MARK.exec(mark ?? "") ?? [];
  if (device === undefined || personId === undefined) return undefined;
  const right = service.config.secretKeys.map((key) => tagOf(key, device, personId));
  const known = tags
    .slice(1)
    .split("_")
    .some((tag) => right.some((each) => sameText(tag, each)));
  return known ? device : undefined;
}

/** The device cookie with this person added; only the newest seven accounts are kept. */
export function markFor(service: Service, mark: string | undefined, personId: string): string {
  const [, device = randomBytes(16).toString("hex"), tags = ""] = MARK.exec(mark ?? "") ?? [];
  const [newest = ""] = service.config.secretKeys;
  const tag = tagOf(newest, device, personId);
  const others = tags.split("_").filter((each) => each !== "" && each !== tag);
  return [device, tag, ...others].slice(0, 1 + MOST).join("_");
}

const tagOf = (key: string, device: string, personId: string): string =>
  macOf(key, "device", `${device}\0${personId}`).slice(0, 20);
