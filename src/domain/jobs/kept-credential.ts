import type { Credential } from "../tenancy/credential.ts";

/** A credential as a job stores it: hashes in hex, never a secret. */
export type KeptCredential =
  | { kind: "key"; id: string; hash: string }
  | { kind: "token"; hash: string }
  | { kind: "person"; personId: string };

export function keptCredential(caller: Credential): KeptCredential {
  switch (caller.kind) {
    case "key":
      return { kind: "key", id: caller.id, hash: caller.hash.toString("hex") };
    case "token":
      return { kind: "token", hash: caller.hash.toString("hex") };
    case "person":
      return { kind: "person", personId: caller.personId };
  }
}

export function credentialOf(kept: KeptCredential, projectId: string): Credential {
  if (kept.kind === "person") return { ...kept, projectId };
  return { ...kept, projectId, hash: Buffer.from(kept.hash, "hex") };
}
