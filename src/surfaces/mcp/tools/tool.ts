import type { Static, TSchema } from "typebox";
import type { Permission } from "../../../core/permission.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Credential } from "../../../domain/credential.ts";
import { faultFinder } from "../../../domain/input-faults.ts";
import { type MemberOperation, perform } from "../../../domain/operation.ts";
import type { Service } from "../../../domain/service.ts";

/** What an assistant reads of a tool (MCP 2026-07-28, Tool). */
interface Words {
  /** At most 21 characters: some clients put 43 of their own before it. */
  name: string;
  title: string;
  description: string;
  input: TSchema;
  output: TSchema;
}

/** An operation of the service, in words for an assistant. */
export interface Tool extends Words {
  needs: Permission;
  faults(args: unknown): Fault[];
  run(who: { service: Service; caller: Credential }, args: unknown): Promise<object>;
}

/** A tool: how its arguments become the operation's input, and the operation's output an answer. */
export function tool<S extends TSchema, Input, Output>(
  definition: Words & {
    input: S;
    operation: MemberOperation<Input, Output>;
    toInput(args: Static<S>): unknown;
    toAnswer(output: Output, args: Static<S>): object;
  },
): Tool {
  const { operation, toInput, toAnswer, ...words } = definition;
  return {
    ...words,
    needs: operation.needs,
    faults: faultFinder(definition.input),
    async run({ service, caller }, args) {
      const known = args as Static<S>;
      return toAnswer(await perform(service, operation, caller, toInput(known)), known);
    },
  };
}
