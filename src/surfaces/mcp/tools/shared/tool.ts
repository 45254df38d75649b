import type { Static, TSchema } from "typebox";
import { plain } from "../../../../contract/plain.ts";
import type { Permission } from "../../../../core/permission.ts";
import { type Fault, Refusal } from "../../../../core/refusal.ts";
import { faultFinder } from "../../../../domain/operation/input-faults.ts";
import { type MemberOperation, perform } from "../../../../domain/operation/operation.ts";
import type { Call, Questions, Tool } from "../../protocol/registry.ts";
import { shownSchema } from "../../protocol/shown-schema.ts";
import { ChangeId, UntrustedContent, Warnings } from "./words.ts";

/** What an assistant reads about a tool (MCP 2026-07-28, Tool), including its effects. */
type Words<S extends TSchema> = Pick<
  Tool,
  | "name"
  | "title"
  | "description"
  | "destructive"
  | "idempotent"
  | "readOnly"
  | "links"
  | "taskOf"
  | "checksItself"
  | "alsoNeeds"
  | "view"
> & {
  input: S;
  /** Only of tools whose answers are described; see Tool. */
  output?: TSchema;
  /** Returns what is wrong with arguments that match the schema. */
  check?(args: Static<S>): Fault[];
  /** Returns a path of the operation's input as a path of the tool's arguments. */
  path?(path: string, args: Static<S>): string;
};

/** Returns a tool that performs one operation, with its arguments as input and its answer made from the output. */
export function tool<S extends TSchema, Input, Output>(
  definition: Words<S> & {
    operation: MemberOperation<Input, Output>;
    toInput(args: Static<S>, call: Call): unknown;
    toAnswer(output: Output, args: Static<S>, call: Call): object;
  },
): Tool {
  const { operation, toInput, toAnswer, ...words } = definition;
  return composedTool({
    ...words,
    needs: operation.needs,
    async run(call, args) {
      const output = await perform(call.service, operation, call.caller, await toInput(args, call));
      return toAnswer(output, args, call);
    },
  });
}

/**
 * Returns a tool of several operations. The first one requires the tool's permission and so checks the
 * caller: nothing may be answered before it.
 */
export function composedTool<S extends TSchema>(
  definition: Words<S> & {
    needs: Permission;
    run(call: Call, args: Static<S>): Promise<object | Questions>;
  },
): Tool {
  const { check, path, run, ...words } = definition;
  const input = plain(definition.input);
  const find = faultFinder(input);
  return {
    ...words,
    input,
    shownInput: shownSchema(input),
    ...(definition.output === undefined
      ? {}
      : { output: withChange(definition.needs, withWarnings(input, plain(definition.output))) }),
    checksItself: true,
    ...(path === undefined ? {} : { pathOf: (each, args) => path(each, args as Static<S>) }),
    faults(args) {
      const faults = find(args);
      return faults.length > 0 || check === undefined ? faults : check(args as Static<S>);
    },
    async run(call, args) {
      const answer = run(call, args as Static<S>);
      return await (path === undefined
        ? answer
        : answer.catch((error: unknown) => {
            throw withPaths(error, (each) => path(each, args as Static<S>));
          }));
    },
  };
}

/** Returns the refusal with other paths. */
function withPaths(error: unknown, path: (path: string) => string): unknown {
  if (!(error instanceof Refusal)) return error;
  const { kind, code, message, cause, retryAfter } = error;
  const faults = error.faults.map((fault) => ({ ...fault, path: path(fault.path) }));
  return new Refusal(kind, code, message, {
    faults,
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** Returns the schema of an answer with the warnings that a tool with a filter may add to it. */
function withWarnings(input: TSchema, output: TSchema): TSchema {
  const propertiesOf = (schema: TSchema) => (schema as { properties?: Record<string, TSchema> }).properties;
  if (propertiesOf(input)?.filter === undefined) return output;
  return { ...output, properties: { ...UNTRUSTED, ...propertiesOf(output), warnings: WARNINGS } } as TSchema;
}

/** Returns the schema of an answer with the change that a tool which writes may add to it. */
function withChange(needs: Permission, output: TSchema): TSchema {
  if (needs.endsWith(":read")) return output;
  const { properties } = output as { properties?: Record<string, TSchema> };
  return { ...output, properties: { ...properties, change_id: CHANGE_ID } } as TSchema;
}

const CHANGE_ID = plain(ChangeId);
const WARNINGS = plain(Warnings);
const UNTRUSTED = { untrusted_content: plain(UntrustedContent) };
