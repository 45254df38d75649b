import type { Static, TSchema } from "typebox";
import type { Permission } from "../core/permission.ts";
import { type Fault, malformed } from "../core/refusal.ts";
import type { ProjectDb } from "../db/database.ts";
import { type Credential, doorOf } from "./credential.ts";
import { faultFinder } from "./input-faults.ts";
import { noteUse } from "./note-use.ts";
import type { Service } from "./service.ts";

/** What an operation inside a project works with. `db` stands behind the caller's door. */
export interface MemberContext {
  service: Service;
  db: ProjectDb;
  caller: Credential;
}

/** Something a member of a project may do: one declaration for REST, MCP and the panel. */
export interface MemberOperation<Input = unknown, Output = unknown> {
  name: string;
  needs: Permission;
  input: TSchema;
  faults(input: unknown): Fault[];
  run(context: MemberContext, input: Input): Promise<Output>;
}

export function memberOperation<S extends TSchema, Output>(definition: {
  name: string;
  needs: Permission;
  input: S;
  run(context: MemberContext, input: Static<S>): Promise<Output>;
}): MemberOperation<Static<S>, Output> {
  return { ...definition, faults: faultFinder(definition.input) };
}

/**
 * The only way into an operation. The door checks credential and permission in the same message as the
 * operation's first statement; a bad input is told only to a caller whom the door lets in.
 */
export async function perform<Input, Output>(
  service: Service,
  operation: MemberOperation<Input, Output>,
  caller: Credential,
  input: unknown,
): Promise<Output> {
  const db = service.db.behind(doorOf(caller, operation.needs));
  const faults = operation.faults(input);
  if (faults.length > 0) await refuse(db, malformed(faults));
  const output = await operation.run({ service, db, caller }, input as Input);
  noteUse(service, caller);
  return output;
}

/** Refuses an input, after the door has had its say about the caller. */
export async function refuse(db: ProjectDb, refusal: Error): Promise<never> {
  await db.query("SELECT");
  throw refusal;
}
