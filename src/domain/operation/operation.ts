import type { Static, TSchema } from "typebox";
import type { LimitName } from "../../core/limit.ts";
import type { Permission } from "../../core/permission.ts";
import { type Fault, malformed, Refusal } from "../../core/refusal.ts";
import type { Door, ProjectDb } from "../../db/pool/database.ts";
import { type Credential, doorOf } from "../tenancy/credential.ts";
import { faultFinder } from "./input-faults.ts";
import { countedFor } from "./limits/counted.ts";
import { noteUse } from "./note-use.ts";
import type { Service } from "./service/service.ts";

/** A caller that waits for a long operation: it receives progress and may cancel. */
export interface Waiting {
  signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** What an operation in a project works with. `db` is behind the caller's door. */
export interface MemberContext {
  service: Service;
  db: ProjectDb;
  caller: Credential;
  waiting?: Waiting;
}

/** Something that a member of a project may do, declared once for REST, MCP and the panel. */
export interface MemberOperation<Input = unknown, Output = unknown> {
  name: string;
  needs: Permission;
  /** Another permission that is enough; the operation then checks which of the two the caller has. */
  orNeeds?: Permission;
  /** The limit that calls count against; by default that of the API or of MCP (see limits/counted.ts). */
  limit?: LimitName;
  input: TSchema;
  faults(input: unknown): Fault[];
  run(context: MemberContext, input: Input): Promise<Output>;
}

export function memberOperation<S extends TSchema, Output>(definition: {
  name: string;
  needs: Permission;
  orNeeds?: Permission;
  limit?: LimitName;
  input: S;
  run(context: MemberContext, input: Static<S>): Promise<Output>;
}): MemberOperation<Static<S>, Output> {
  return { ...definition, faults: faultFinder(definition.input) };
}

/**
 * Performs an operation; the only way to do so. The rate check (if the database counts), the door and the
 * operation's first statement are sent in one message. Input errors are reported only to authorized callers.
 */
export async function perform<Input, Output>(
  service: Service,
  operation: MemberOperation<Input, Output>,
  caller: Credential,
  input: unknown,
  waiting?: Waiting,
): Promise<Output> {
  return await countedFor(service, operation.limit, caller, async (service) => {
    const db = service.db.behind(operationDoor(operation, caller));
    const faults = operation.faults(input);
    if (faults.length > 0) await refuse(db, malformed(faults));
    const output = await operation.run(
      { service, db, caller, ...(waiting === undefined ? {} : { waiting }) },
      input as Input,
    );
    noteUse(service, caller);
    return output;
  });
}

/** The door of an operation. */
export const operationDoor = (
  { needs, orNeeds }: Pick<MemberOperation, "needs" | "orNeeds">,
  caller: Credential,
): Door => doorOf(caller, needs, ...(orNeeds === undefined ? [] : [orNeeds]));

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
