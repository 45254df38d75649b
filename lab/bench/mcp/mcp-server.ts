// One side of the benchmark as a process of its own, with the token check before it or without.
import { createServer } from "node:http";
import process from "node:process";
import { pino } from "pino";
import { readConfig } from "../../../src/config/config.ts";
import { checkToken } from "../../../src/domain/grants/check-token.ts";
import { readAccessToken } from "../../../src/domain/grants/token-text.ts";
import type { Service } from "../../../src/domain/operation/service/service.ts";
import { webApp } from "../../../src/server/app.ts";
import { openService } from "../../../src/server/start.ts";
import type { Call, Tool } from "../../../src/surfaces/mcp/protocol/registry.ts";
import { freePort } from "../../../test/world.ts";
import { ours } from "./mcp-ours.ts";
import { plainQuery } from "./mcp-plain.ts";
import { firstSdk, secondSdk } from "./mcp-sdk.ts";

const [kind, checked] = [process.argv[2], process.argv[3] === "checked"];
const config = readConfig(process.env);
const service = checked ? (await openService(config)).service : withoutDatabase();

const callerOf = (token: string) => {
  const address = readAccessToken(token);
  if (address === undefined) throw new Error("no token");
  return { kind: "token", ...address } as const;
};

const plain = plainQuery(process.argv[4] ?? "");

const run = async (tool: Tool, token: string, args: unknown) =>
  tool.name === "query_leads"
    ? await plain(token, args)
    : await tool.run({ service, caller: callerOf(token) } as Call, args);

const port = await freePort();
if (kind === "listener") {
  const app = await webApp(service, config);
  await app.listen({ host: "127.0.0.1", port });
} else if (kind === "ours") {
  createServer(ours(service, checked)).listen(port, "127.0.0.1");
} else {
  const handle = kind === "first" ? firstSdk(run) : secondSdk(run);
  createServer(async (request, response) => {
    // On all sides, query_leads checks the token itself.
    if (checked && request.headers["mcp-name"] !== "query_leads") {
      await checkToken(service, callerOf((request.headers.authorization ?? "").slice("Bearer ".length)));
    }
    await handle(request, response);
  }).listen(port, "127.0.0.1");
}
process.on("SIGINT", () => process.exit(0));
process.send?.(port);

/** A service that accepts all callers and has no limits. */
function withoutDatabase(): Service {
  const open = { open: async () => ({ scopes: ["mcp:read", "mcp:write"], role: "owner" }) };
  const none = { api: null, mcp: null };
  return {
    db: { behind: () => open, pay: async () => undefined },
    config: { ...config, limits: { ...config.limits, ...none } },
    log: pino({ level: "error" }),
    limiter: {},
  } as unknown as Service;
}
