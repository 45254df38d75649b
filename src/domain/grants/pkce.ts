import { createHash } from "node:crypto";

/** The S256 challenge of a verifier (RFC 7636 4.2): base64url of its SHA-256, 43 characters. */
export const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

/** Whether a text has the form of an S256 challenge. */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
