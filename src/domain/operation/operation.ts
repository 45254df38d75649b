import type { Static, TSchema } from "typebox";
import { plain } from "../../contract/plain.ts";
import type { LimitName } from "../../core/limit.ts";
import type { Needs, Permission } from "../../core/permission.ts";
import { type Fault, malformed, Refusal } from "../../core/refusal.ts";
import type { Door, ProjectDb } from "../../db/pool/database.ts";
import type { Purpose } from "../../db/pool/project-reads.ts";
import { type Credential, doorOf } from "../tenancy/credential.ts";
import { noteAccepted } from "./accepted.ts";
import { followGrowth } from "./growth.ts";
import { faultFinder } from "./input-faults.ts";
import { countedFor } from "./limits/counted.ts";
import { noteUse } from "./note-use.ts";
import { noteSize } from "./project-size.ts";
import type { Service } from "./service/service.ts";

/** A caller that waits for a long operation: it receives progress and may cancel. */
export interface Waiting {
  signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** One thing that one kind of caller may do. `perform` is the only way in; callers.ts has the kinds besides members. */
export interface Operation<Caller, Input, Output> {
  name: string;
  /** Checks the caller and runs the operation; called by `perform` alone. */
  enter(service: Service, caller: Caller, input: Input, waiting?: Waiting): Promise<Output>;
}

/** Lets a caller perform an operation: every request, on every surface, comes in here. */
export const perform = <Caller, Input, Output>(
  service: Service,
  operation: Operation<Caller, Input, Output>,
  caller: Caller,
  input: Input,
  waiting?: Waiting,
): Promise<Output> => {
  service.account?.performs(operation.name);
  return operation.enter(service, caller, input, waiting);
};

/** What an operation inside a project works with. `db` stands behind the caller's door. */
export interface MemberContext {
  service: Service;
  db: ProjectDb;
  caller: Credential;
  /** The lane of the work; jobs have none. */
  purpose?: Purpose;
  waiting?: Waiting;
}

/** Something a member of a project may do: one declaration for REST, MCP and the panel. */
export interface MemberOperation<Input = unknown, Output = unknown>
  extends Operation<Credential, unknown, Output> {
  needs: Permission;
  /** Other permissions of which one is enough; the operation then checks what the caller has. */
  orNeeds?: Permission | readonly Permission[];
  /** A permission that is needed, too. */
  alsoNeeds?: Permission;
  /** Whether it takes leads out in bulk; see Needs. */
  exports?: true;
  /** False for an operation that changes nothing although it needs the permission to write; see Needs. */
  changes?: false;
  /** The limit that calls count against; by default that of the API or of MCP (see limits/counted.ts). */
  limit?: LimitName;
  /** Set for reads of a few rows by key; other reads share connections with those that may be slow. */
  lane?: "keyed";
  input: TSchema;
  faults(input: unknown): Fault[];
  run(context: MemberContext, input: Input): Promise<Output>;
}

export function memberOperation<S extends TSchema, Output>(definition: {
  name: string;
  needs: Permission;
  orNeeds?: Permission | readonly Permission[];
  alsoNeeds?: Permission;
  exports?: true;
  changes?: false;
  limit?: LimitName;
  lane?: "keyed";
  input: S;
  run(context: MemberContext, input: Static<S>): Promise<Output>;
}): MemberOperation<Static<S>, Output> {
  const operation: MemberOperation<Static<S>, Output> = {
    ...definition,
    faults: faultFinder(plain(definition.input)),
    enter: (service, caller, input, waiting) => enterAsMember(service, operation, caller, input, waiting),
  };
  return operation;
}

/**
 * Enters a member's operation. The rate check counts once per request, in the first message if hits are counted in the
 * database. The door checks credential and permission in the same message as the operation's first statement. Input
 * errors are reported only to authorized callers.
 */
async function enterAsMember<Input, Output>(
  service: Service,
  operation: MemberOperation<Input, Output>,
  caller: Credential,
  input: unknown,
  waiting?: Waiting,
): Promise<Output> {
  identify(service, operation.name, caller);
  return await countedFor(service, operation.limit, caller, async (service) => {
    const purpose = purposeOf(service, operation, caller);
    const db = service.db.behind(operationDoor(operation, caller), purpose);
    const faults = operation.faults(input);
    if (faults.length > 0) await refuse(db, malformed(faults));
    const output = await operation.run(
      { service, db, caller, purpose, ...(waiting === undefined ? {} : { waiting }) },
      input as Input,
    );
    noteUse(service, caller);
    noteAccepted(caller);
    noteSize(service, caller.projectId);
    void followGrowth(service, caller.projectId);
    return output;
  });
}

/** Notes in the trace who does what. Tokens are only known by their hash. */
function identify({ trace }: Service, operation: string, caller: Credential): void {
  if (trace === undefined) return;
  const id = caller.kind === "key" ? caller.id : caller.kind === "person" ? caller.personId : undefined;
  trace.identify(caller.projectId, caller.kind, id);
  trace.set("leadgate.operation", operation);
}

/** The lane of an operation: by key, a read, or a write, which may wait for locks. */
const purposeOf = (
  { origin }: Service,
  { lane, needs }: Pick<MemberOperation, "lane" | "needs">,
  { projectId }: Credential,
): Purpose => ({
  lane: lane ?? (needs.endsWith(":read") ? "query" : "long"),
  owner: projectId,
  onSlow: origin?.onSlow,
});

/** What an operation requires of its caller. */
const needsOf = ({ needs, orNeeds, alsoNeeds, exports, changes }: OperationNeeds): Needs => ({
  any: [needs, orNeeds ?? []].flat(),
  all: alsoNeeds === undefined ? [] : [alsoNeeds],
  exports: exports === true,
  ...(changes === undefined ? {} : { changes }),
});

type OperationNeeds = Pick<MemberOperation, "needs" | "orNeeds" | "alsoNeeds" | "exports" | "changes">;

/** The door of an operation. */
export const operationDoor = (operation: OperationNeeds, caller: Credential): Door =>
  doorOf(caller, needsOf(operation));

/** The same context behind another door, for input that needs more than its operation does. */
export const requiring = (context: MemberContext, needs: Needs): MemberContext => ({
  ...context,
  db: context.service.db.behind(doorOf(context.caller, needs), context.purpose),
});

/** Throws a refusal, but only to callers whom the door admits. */
export async function refuse(db: ProjectDb, refusal: Error): Promise<never> {
  await db.open();
  throw refusal;
}

/** Runs a check that the schema cannot express. Its refusal is reported only to callers whom the door admits. */
export async function checked<T>({ db }: Pick<MemberContext, "db">, check: () => T): Promise<T> {
  try {
    return check();
  } catch (error) {
    if (error instanceof Refusal) return await refuse(db, error);
    throw error;
  }
}
