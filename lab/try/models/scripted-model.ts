import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { collected, listening, reply } from "../support/recorder.ts";
import { anthropic } from "./anthropic.ts";
import type { Declaration, Dialect, ModelCall, ModelRequest, Offered } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { newestResult } from "./tool-result.ts";

const DIALECTS: readonly Dialect[] = [anthropic, openaiResponses, openaiChat, gemini];

/** A tool of ours that every grant may use: what a host calls it shows how the host names our tools. */
const KNOWN = "get_context";
/** Tools with which a host lets its model look for tools that it does not declare at once. */
const SEARCH = /^tool_?search$/i;

/** A request to the model and what the model did. */
export interface Asked {
  path: string;
  offered: Offered[];
  /** The newest result of a tool in the conversation. */
  result: string;
  /** The tool that the model called, by the host's name. */
  called: string | undefined;
}

/** A model that does what it is told: one call of a tool, then a text. */
export interface ScriptedModel extends AsyncDisposable {
  url: string;
  asked: Asked[];
  /** Requests that no dialect answers. */
  strange: string[];
  /** Lets the model call this tool of ours in its next turn. */
  willCall(tool: string, args: object): void;
}

/** Starts a scripted model that speaks the APIs of the vendors. */
export async function scriptedModel(): Promise<ScriptedModel> {
  const asked: Asked[] = [];
  const strange: string[] = [];
  let pending: { tool: string; args: object } | undefined;
  let hasSearched = false;
  const next = (offered: readonly Offered[], result: string): ModelCall | undefined => {
    if (pending === undefined || offered.length === 0) return undefined;
    const { tool, args } = pending;
    const search = offered.find(({ name }) => SEARCH.test(name));
    if (search !== undefined && !offered.some(({ name }) => name.endsWith(KNOWN)) && !hasSearched) {
      hasSearched = true;
      return { name: search.name, args: { query: tool } };
    }
    pending = undefined;
    // A host may describe what a search found, instead of declaring it.
    const found = hasSearched ? new RegExp(`"name": ?"([^"]*${tool})"`).exec(result)?.[1] : undefined;
    return { ...(found === undefined ? namedBy(offered, tool) : { name: found }), args };
  };
  const server = createServer((request, answer) => {
    void collected(request).then((body) => {
      const path = request.url ?? "/";
      const dialect = DIALECTS.find((each) => each.path.test(path.replace(/\?.*/, "")));
      if (dialect === undefined || request.method !== "POST") {
        strange.push(`${request.method} ${path}`);
        const isList = request.method === "GET" && /\/models$/.test(path);
        reply(answer, isList ? 200 : 404, isList ? { object: "list", data: [{ id: "scripted" }] } : {});
        return;
      }
      const value = JSON.parse(body) as ModelRequest;
      const offered = offeredIn(value.tools ?? []);
      const result = newestResult(value.messages ?? value.input ?? value.contents ?? []);
      const call = next(offered, result);
      asked.push({ path, offered, result, called: call?.name });
      const { type, body: text } = dialect.answer(value, path, call);
      answer.writeHead(200, { "Content-Type": type }).end(text);
    });
  });
  await listening(server, 0);
  return {
    ...{ asked, strange },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    willCall(tool, args) {
      pending = { tool, args };
      hasSearched = false;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the tools of a request, without their groups. */
function offeredIn(tools: readonly Declaration[]): Offered[] {
  return tools.flatMap((tool) => {
    const group = tool.type === "namespace" ? { namespace: tool.name ?? "" } : {};
    const declared = tool.functionDeclarations ?? tool.tools ?? [tool.function ?? tool];
    return declared.map((one) => ({
      ...{ name: one.name ?? tool.type ?? "", json: JSON.stringify(one) },
      ...group,
    }));
  });
}

/** Returns the host's name of a tool of ours; of one that it does not offer, by the name of one that it does. */
function namedBy(offered: readonly Offered[], tool: string): Omit<ModelCall, "args"> {
  const known =
    offered.find(({ name }) => name.endsWith(tool)) ?? offered.find(({ name }) => name.endsWith(KNOWN));
  const name = known === undefined ? tool : known.name.replace(KNOWN, tool);
  return known?.namespace === undefined ? { name } : { name, namespace: known.namespace };
}
