import type { Credential } from "../tenancy/credential.ts";

const REMEMBERED = 20_000;

/** Whose the credentials are that were accepted lately, by their hash; in two halves, so that the older one can be dropped. */
let owners = new Map<string, string>();
let earlier = new Map<string, string>();

/**
 * Notes that a credential was accepted, so that its requests count for its project or person when requests are
 * admitted. Others count for their address: a made-up credential must not take up a project's share.
 */
export function noteAccepted(caller: Credential): void {
  const hash = caller.kind === "person" ? caller.session : caller.hash;
  if (hash === undefined) return;
  note(hash, caller.kind === "person" ? `person ${caller.personId}` : `project ${caller.projectId}`);
}

/** The same for a session, where no project is involved. */
export const noteAcceptedSession = (session: Buffer, personId: string): void =>
  note(session, `person ${personId}`);

function note(hash: Buffer, owner: string): void {
  const name = hash.toString("latin1");
  if (owners.has(name)) return;
  if (owners.size >= REMEMBERED) [owners, earlier] = [new Map(), owners];
  owners.set(name, owner);
}

/** Forgets a credential that was refused, by its hash. */
export function forgetAccepted(hash: Buffer): void {
  const name = hash.toString("latin1");
  owners.delete(name);
  earlier.delete(name);
}

/** Returns whose an accepted credential is, by its hash; undefined for others. */
export function ownerOfAccepted(hash: Buffer): string | undefined {
  const name = hash.toString("latin1");
  return owners.get(name) ?? earlier.get(name);
}
