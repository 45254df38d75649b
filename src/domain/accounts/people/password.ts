import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "../../../core/refusal.ts";

const AT_ONCE = 2;
const QUEUE = 32;
const SHORTEST = 8;
const LONGEST = 256;

let running = 0;
const waiting: Array<() => void> = [];

/** Hashes a new password (argon2id, RFC 9106). Refuses one under 8 or over 256 characters. */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < SHORTEST || password.length > LONGEST) {
    throw new Refusal(
      "malformed",
      "weak_password",
      `The password needs ${SHORTEST} to ${LONGEST} characters; length is what makes it strong.`,
    );
  }
  return await oneOfFew(() => hash(password));
}

/** Whether a password matches a hash. Without a hash it takes the same time and returns false. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  if (password.length > LONGEST) return false;
  const against = stored ?? (await nobodysHash());
  return (await oneOfFew(() => verify(against, password))) && stored !== undefined;
}

let nobody: Promise<string> | undefined;
const nobodysHash = (): Promise<string> => {
  nobody ??= hash("nobody has this password");
  return nobody;
};

/** argon2 blocks the thread pool that files and DNS need too, so few run at once and few may wait. */
async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= QUEUE) {
      throw new Refusal("unavailable", "busy", "Many people are signing in. Try again in a moment.", {
        retryAfter: 2,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
