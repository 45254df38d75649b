import type { Permission } from "../../core/permission.ts";
import type { Door } from "../../db/pool/database.ts";
import { keyDoor } from "./key-door.ts";
import { personDoor } from "./person-door.ts";
import { tokenDoor } from "./token-door.ts";

/**
 * Whoever asks to act in a project, and what they show for it. Each names the project, which routes it. A person at a
 * browser shows a session (its hash); work of theirs that goes on without them, such as a job, has none.
 */
export type Credential =
  | { kind: "key"; projectId: string; id: string; hash: Buffer }
  | { kind: "token"; projectId: string; hash: Buffer }
  | { kind: "person"; projectId: string; personId: string; session?: Buffer };

/** The door that this credential opens, for what needs this permission, or one of these. */
export function doorOf(caller: Credential, ...needs: Permission[]): Door {
  switch (caller.kind) {
    case "key":
      return keyDoor(caller, ...needs);
    case "token":
      return tokenDoor(caller, ...needs);
    case "person":
      return personDoor(caller, ...needs);
  }
}
