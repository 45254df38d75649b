import type { Needs } from "../../core/permission.ts";
import type { Door } from "../../db/pool/database.ts";
import { keyDoor } from "./key-door.ts";
import { personDoor } from "./person-door.ts";
import { tokenDoor } from "./token-door.ts";

/**
 * A caller's credential. Each includes the project id, which routes statements. A person in a browser has a session
 * (its hash); work that continues without them, such as a job, has none.
 */
export type Credential =
  | { kind: "key"; projectId: string; id: string; hash: Buffer }
  | { kind: "token"; projectId: string; hash: Buffer }
  | { kind: "person"; projectId: string; personId: string; session?: Buffer };

/** The door for this credential, if it has what is needed. */
export function doorOf(caller: Credential, needs: Needs): Door {
  switch (caller.kind) {
    case "key":
      return keyDoor(caller, needs);
    case "token":
      return tokenDoor(caller, needs);
    case "person":
      return personDoor(caller, needs);
  }
}
