import assert from "node:assert/strict";
import { test } from "node:test";
import { LEADS } from "../../src/surfaces/mcp/registry-of-leads.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { Assistant, addLead } from "./support/assistant.ts";
import { messageMaker, randomOf } from "./support/random-message.ts";

const MESSAGES = Number(process.env.MCP_MESSAGES ?? 5_000);
const SEED = Number(process.env.MCP_SEED ?? 20_261_121);
const CONNECTIONS = 8;
const WHILE = { timeout: 60_000 + MESSAGES * 20 };

const METHODS = [
  ...["tools/call", "tools/call", "tools/call", "tools/list", "resources/list", "resources/templates/list"],
  ...["resources/read", "resources/read", "prompts/list", "prompts/get", "completion/complete"],
  ...["initialize", "ping", "server/discover", "logging/setLevel", "notifications/cancelled"],
  "subscriptions/listen",
];

/** Internals: our statements, our files, PostgreSQL's messages, stack traces. */
const INSIDE =
  /\bat .+\.ts:\d|node_modules|\bSELECT\b .+\bFROM\b|relation "|syntax error at|store\.|TypeError|ECONN|pg_/;

/** Sends so many random messages. */
async function meetNoError(messages: number): Promise<void> {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const lead = await addLead(the, { name: "Nadia Brandt", email: "nadia@example.org" });
  const next = messageMaker(randomOf(SEED), {
    methods: METHODS,
    names: [...LEADS.tools, ...LEADS.prompts].map(({ name }) => name),
    uris: [
      ...LEADS.resources.map(({ uri }) => uri),
      ...LEADS.templates.map(({ uriTemplate }) => uriTemplate),
      `leads://leads/${lead}`,
      `leads://leads/${lead}/timeline`,
    ],
    keys: [...new Set([...LEADS.tools.flatMap(argumentsOf), "id", "field", "op", "value", "any", "all"])],
  });
  const statuses = new Map<number, number>();
  let left = messages;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const { body, headers } = next();
      const answer = await assistant.post(body, headers);
      const text = await answer.text();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const what = `${JSON.stringify(headers)} ${body} → ${answer.status} ${text}`.slice(0, 3_000);
      assert.ok(answer.status < 500, what);
      assert.doesNotMatch(text, INSIDE, what);
      assert.doesNotMatch(text, /-32603|"code":"internal"|Something went wrong/, what);
      if (answer.status !== 202 && /json/.test(answer.headers.get("content-type") ?? "")) JSON.parse(text);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  assert.ok((statuses.get(200) ?? 0) > messages / 10, JSON.stringify([...statuses]));
}

test("300 messages, right and wrong, meet no error of ours and learn nothing of what is inside", () =>
  meetNoError(300));

large(
  `${MESSAGES} messages, right and wrong, meet no error of ours and learn nothing of what is inside`,
  WHILE,
  () => meetNoError(MESSAGES),
);
const argumentsOf = ({ input }: { input: object }): string[] =>
  Object.keys((input as { properties?: object }).properties ?? {});
