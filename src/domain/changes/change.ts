import type { Actor } from "../../contract/basics/actor.ts";
import type { ChangeAbout } from "../../contract/changes/change.ts";
import type { ChangeKind, Surface } from "../../contract/lists/changes.ts";
import { newId } from "../../core/id.ts";
import { sourceOf } from "../operation/actor.ts";
import { type Added, noteAdded } from "../operation/growth.ts";
import type { MemberContext } from "../operation/operation.ts";
import type { Sealing } from "../operation/service/service.ts";
import type { Credential } from "../tenancy/credential.ts";

/** Who makes a change without a credential: the command line, or the service itself. */
export interface NamedAuthor {
  kind: "named";
  projectId: string;
  actor: Actor;
  surface: Surface;
}

/**
 * A change of a project's data: everything that one call, job or command writes. It is recorded by the statements that
 * write, in their transactions, and exists only if something was written.
 */
export interface Change {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly by: Credential | NamedAuthor;
  /** The secret keys of the service, which open the key of the project's suppressions. */
  readonly secretKeys: () => readonly string[];
  readonly requestId: string | null;
  /** The only lead that it is for. */
  leadId: string | null;
  about: ChangeAbout;
  readonly jobId: string | null;
  /** The change that it takes back. */
  undoes: string | null;
  /** Whether something was written and not rolled back; only `made` sets it. */
  made: boolean;
}

interface More {
  leadId?: string;
  about?: ChangeAbout;
  jobId?: string;
  undoes?: string;
  /** The id of a change whose first part is recorded already. */
  id?: string;
}

/** Begins the change of an operation. Its id is reported to the caller if anything is written. */
export function newChange(
  { service, caller }: Pick<MemberContext, "service" | "caller">,
  kind: ChangeKind,
  more: More = {},
): Change {
  const change = changeBy(service, caller, kind, { ...more, requestId: service.origin?.requestId ?? null });
  service.origin?.changes?.push(change);
  return change;
}

/** The same for an author that no request has. */
export function changeBy(
  { config }: Sealing,
  by: Credential | NamedAuthor,
  kind: ChangeKind,
  more: More & { requestId?: string | null } = {},
): Change {
  const {
    id = newId("chg"),
    leadId = null,
    about = {},
    jobId = null,
    undoes = null,
    requestId = null,
  } = more;
  const secretKeys = () => config.secretKeys;
  return { id, kind, by, secretKeys, requestId, leadId, about, jobId, undoes, made: false };
}

/** Notes that a part of a change was written, and how many rows it added to which tables. */
export function made(change: Change, added: Added): void {
  noteAdded(change.by.projectId, change.made ? added : { change: 1, ...added });
  change.made = true;
}

export const surfaceOf = (by: Change["by"]): Surface => (by.kind === "named" ? by.surface : sourceOf(by));

/** The source of the events that a change writes. */
export const sourceOfEvents = ({ kind, by }: Pick<Change, "kind" | "by">): Surface | "import" =>
  kind === "import" ? "import" : surfaceOf(by);

/** The fields of patches as a change names them; derived ones are left out. */
export function fieldsOf(patches: readonly { custom?: object }[]): string[] {
  const names = new Set<string>();
  for (const { custom = {}, ...fields } of patches) {
    for (const name of Object.keys(fields)) if (name !== "phone_e164") names.add(name);
    for (const key of Object.keys(custom)) names.add(`custom.${key}`);
    if (names.size >= MOST_FIELDS) break;
  }
  return [...names].slice(0, MOST_FIELDS).sort();
}

const MOST_FIELDS = 50;
