import assert from "node:assert/strict";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { LEADS } from "../../../src/surfaces/mcp/registry-of-leads.ts";
import { Application, type Choice } from "../../oauth/support/application.ts";
import type { World } from "../../world.ts";
import { Assistant, answerOf, META, type ToolResult } from "./assistant.ts";

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  annotations: Record<string, unknown>;
}

/** The keywords that our schemas use. */
interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  additionalProperties?: boolean;
}

export interface Failure {
  what: string;
  why: string;
  next_step: string;
  request_id: string;
  details?: { path: string; code: string; message: string }[];
}

interface Wish extends Choice {
  person?: World["person"];
}

export type Answer = Record<string, unknown>;

/** An assistant that checks each answer against the tool's schema and the contract. */
export class Caller {
  readonly assistant: Assistant;
  readonly tools: ReadonlyMap<string, ListedTool>;

  constructor(assistant: Assistant, tools: readonly ListedTool[]) {
    this.assistant = assistant;
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  static async in(the: World, choice: Wish = {}): Promise<Caller> {
    const { person = the.person, ...granted } = choice;
    const application = await Application.register(the);
    const { access } = await application.tokens(await the.signedIn(person), granted);
    const assistant = new Assistant(the, access);
    const { result } = await answerOf(await assistant.ask("tools/list"));
    return new Caller(assistant, result.tools as ListedTool[]);
  }

  /** Returns the answer of a call that must succeed. */
  async call(name: string, args: object = {}): Promise<Answer> {
    return this.#held(name, await this.assistant.call(name, args));
  }

  /** Returns the failure of a call that must fail. */
  async failure(name: string, args: object): Promise<Failure> {
    const { result } = await answerOf(await this.assistant.ask("tools/call", { name, arguments: args }));
    const { isError, content } = result as unknown as ToolResult;
    assert.equal(isError, true, `${name} took ${JSON.stringify(args)}: ${content[0]?.text}`);
    const failure = JSON.parse(content[0]?.text ?? "") as Failure;
    assert.ok(failure.what && failure.why && failure.next_step && failure.request_id.startsWith("req_"));
    return failure;
  }

  /** Calls with a client that can ask its person, who gives this answer; also returns the question. */
  async asked(
    name: string,
    args: object,
    answer: object,
    meanwhile: () => Promise<void> = async () => undefined,
  ): Promise<{ message: string; answer: Answer }> {
    const _meta = { ...META, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
    const params = { name, arguments: args, _meta };
    const { result } = await answerOf(await this.assistant.ask("tools/call", params));
    assert.equal(result.resultType, "input_required", JSON.stringify(result));
    const requests = result.inputRequests as Record<string, { params: { message: string } }>;
    const [[question = "", { params: asked }] = ["", { params: { message: "" } }]] = Object.entries(requests);
    await meanwhile();
    const again = { ...params, requestState: result.requestState, inputResponses: { [question]: answer } };
    const { result: last } = await answerOf(await this.assistant.ask("tools/call", again));
    const told = last as unknown as ToolResult;
    return { message: asked.message, answer: told.isError === true ? { ...told } : this.#held(name, told) };
  }

  #held(name: string, { content, structuredContent, isError }: ToolResult): Answer {
    const [{ text } = { text: "" }] = content;
    assert.ok(isError !== true, `${name}: ${text}`);
    assert.deepEqual(JSON.parse(text), structuredContent);
    assert.ok(Buffer.byteLength(text) <= 60_000, `${name} answered ${Buffer.byteLength(text)} bytes`);
    // Tools of before keep the shape of their answers.
    const schema = LEADS.tools.find((tool) => tool.name === name)?.output as Schema | undefined;
    if (schema !== undefined) {
      const check = Compile(schema as TSchema);
      const errors = JSON.stringify([...check.Errors(structuredContent)]);
      assert.ok(check.Check(structuredContent), `${name} ${errors}`);
      const unknown = Object.keys(structuredContent).filter((key) => schema.properties?.[key] === undefined);
      assert.deepEqual(unknown, [], `${name} answers members that its schema does not name`);
    }
    assert.ok(!text.includes(":null"), `${name} answers what is absent: ${text}`);
    assert.doesNotMatch(text, /\p{Bidi_Control}|\\u00[01]/u, `${name} answers what nobody sees`);
    return structuredContent;
  }
}

export const when = (field: string, op: string, value?: unknown) => ({
  any: [{ all: [{ field, op, ...(value === undefined ? {} : { value }) }] }],
});

/** Returns the rows of a table as records. */
export function recordsOf(table: unknown): Answer[] {
  const { columns, rows, same = {} } = table as { columns: string[]; rows: unknown[][]; same?: Answer };
  return rows.map((row) => ({ ...same, ...Object.fromEntries(columns.map((name, i) => [name, row[i]])) }));
}
