import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "../../../core/refusal.ts";
import { faultOfPassword, type Owner, type PasswordFault } from "./password-rule.ts";

const AT_ONCE = 2;
const QUEUE = 32;
const SHORTEST = 8;
const LONGEST = 256;

let taken = 0;
let running = 0;
const waiting: Array<() => void> = [];

/** Hashes a new password (argon2id, RFC 9106). Refuses one that is too short or too long, or easy to guess. */
export async function hashPassword(password: string, owner: Owner): Promise<string> {
  if (password.length < SHORTEST || password.length > LONGEST) throw refused("weak_password");
  const common = await commonPasswords();
  const fault = faultOfPassword(password, owner, (word) => common.includes(word));
  if (fault !== undefined) throw refused(fault);
  return await oneOfFew(() => hash(password));
}

/** 49,000 passwords that attackers try first. They take 10 ms to read, so that is done at the first new password. */
const commonPasswords = async (): Promise<readonly string[]> =>
  (await import("@zxcvbn-ts/language-common/src/passwords.json", { with: { type: "json" } })).default;

const ADVICE = "Use a sentence of your own, or several words that have nothing to do with each other.";

const REASONS: Record<PasswordFault | "weak_password", string> = {
  weak_password: `The password needs ${SHORTEST} to ${LONGEST} characters; length is what makes it strong.`,
  common_password: `Many people use this password, so it is one of the first that attackers try. ${ADVICE}`,
  password_pattern: `This password is a simple pattern: its characters repeat or follow each other. ${ADVICE}`,
  personal_password: `This password is your name, your e-mail or the name of this service. ${ADVICE}`,
};

/** The refusal of a new password, which forms show at its field. */
function refused(code: PasswordFault | "weak_password"): Refusal {
  const message = REASONS[code];
  return new Refusal("malformed", code, message, { faults: [{ path: "$.password", code, message }] });
}

/**
 * Whether a password matches a hash. Without a hash it takes the same time and returns false. `place` is the one that was
 * taken for it before; it is free afterwards.
 */
export async function isPassword(
  stored: string | undefined,
  password: string,
  place?: Disposable,
): Promise<boolean> {
  try {
    if (password.length > LONGEST) return false;
    const against = stored ?? (await nobodysHash());
    return (await oneOfFew(() => verify(against, password), place)) && stored !== undefined;
  } finally {
    place?.[Symbol.dispose]();
  }
}

let nobody: Promise<string> | undefined;
const nobodysHash = (): Promise<string> => {
  nobody ??= hash("nobody has this password");
  return nobody;
};

/** Takes a place among the passwords that are checked or wait for it; `busy` if there is none. */
export function takePlace(): Disposable {
  if (taken >= AT_ONCE + QUEUE) {
    throw new Refusal("unavailable", "busy", "Many people are signing in. Try again in a moment.", {
      retryAfter: 2,
    });
  }
  taken += 1;
  let isTaken = true;
  return {
    [Symbol.dispose]() {
      if (isTaken) taken -= 1;
      isTaken = false;
    },
  };
}

/** argon2 blocks the thread pool that files and DNS need too, so few run at once and few may wait. */
async function oneOfFew<T>(work: () => Promise<T>, place = takePlace()): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    place[Symbol.dispose]();
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
