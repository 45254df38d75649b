/** Returns a generator of numbers in [0, 1), repeatable by its seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface RandomMessage {
  body: string;
  headers: Record<string, string>;
}

const ODD: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_992,
  "",
  "x".repeat(3_000),
  "\u0000",
  "\ud800",
  "‮abc",
  "'; DROP TABLE lead; --",
  "__proto__",
  "constructor",
  "2026-13-45T99:99:99Z",
  "lead_00000000000000000000000000",
  "leads://leads/%00",
  [],
  [[[[]]]],
  {},
  { toString: 1 },
  { $ne: null },
];

const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "1999-01-01", "", "v999"];

/** What a server offers, for messages that pass the first checks. */
export interface Known {
  methods: readonly string[];
  names: readonly string[];
  uris: readonly string[];
  keys: readonly string[];
}

/** Returns a maker of messages that are valid, nearly valid or invalid. */
export function messageMaker(random: () => number, known: Known): () => RandomMessage {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const chance = (share: number) => random() < share;

  const value = (depth: number): unknown => {
    if (depth > 3 || chance(0.6)) return chance(0.3) ? pick(known.names) : pick(ODD);
    if (chance(0.4)) return Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1));
    return members(depth + 1);
  };
  const members = (depth: number): Record<string, unknown> =>
    Object.fromEntries(
      Array.from({ length: Math.floor(random() * 5) }, () => [
        chance(0.8) ? pick(known.keys) : textOf(pick(ODD)),
        value(depth),
      ]),
    );

  const paramsOf = (method: string, version: string): unknown => {
    if (chance(0.03)) return pick(ODD);
    const params: Record<string, unknown> = chance(0.2) ? members(0) : {};
    if (/call|get/.test(method)) {
      params.name = chance(0.95) ? pick(known.names) : pick(ODD);
      params.arguments = chance(0.9) ? members(0) : pick(ODD);
    }
    if (method === "resources/read") params.uri = chance(0.8) ? pick(known.uris) : pick(ODD);
    if (method === "completion/complete") {
      params.ref = chance(0.5)
        ? { type: "ref/prompt", name: pick(known.names) }
        : { type: "ref/resource", uri: pick(known.uris) };
      params.argument = chance(0.9) ? { name: pick(known.keys), value: textOf(value(3)) } : pick(ODD);
    }
    if (method === "initialize") {
      params.protocolVersion = version;
      params.capabilities = chance(0.8) ? {} : pick(ODD);
      params.clientInfo = chance(0.8) ? { name: "x", version: "1" } : pick(ODD);
    }
    if (method === "subscriptions/listen") params.notifications = chance(0.5) ? {} : pick(ODD);
    if (chance(0.1)) params.inputResponses = value(1);
    if (chance(0.05)) params.requestState = value(2);
    if (version === "2026-07-28" ? chance(0.95) : chance(0.1)) {
      params._meta = {
        "io.modelcontextprotocol/protocolVersion": chance(0.97) ? version : pick(ODD),
        "io.modelcontextprotocol/clientCapabilities": chance(0.97) ? { elicitation: {} } : pick(ODD),
        ...(chance(0.1) ? { progressToken: pick(ODD) } : {}),
      };
    }
    return params;
  };

  return () => {
    const version = chance(0.6) ? "2026-07-28" : pick(VERSIONS);
    const method = chance(0.95) ? pick(known.methods) : textOf(pick(ODD));
    const params = paramsOf(method, version);
    const id = chance(0.95) ? Math.floor(random() * 1_000) : pick(ODD);
    const message = {
      jsonrpc: chance(0.98) ? "2.0" : pick(ODD),
      ...(chance(0.95) ? { id } : {}),
      method,
      params,
    };
    const { name, uri } = (params ?? {}) as { name?: unknown; uri?: unknown };
    const said = method === "resources/read" ? uri : name;
    let body = JSON.stringify(chance(0.03) ? [message, pick(ODD)] : message);
    if (chance(0.02)) body = body.slice(0, Math.floor(random() * body.length));
    const headers: Record<string, string> = {};
    if (chance(0.95)) headers["MCP-Protocol-Version"] = version;
    if (chance(0.97)) headers["Mcp-Method"] = safe(method);
    if (typeof said === "string" && chance(0.97)) headers["Mcp-Name"] = safe(said);
    if (chance(0.05)) headers.Accept = pick(["application/json", "text/event-stream", "*/*", ""]);
    return { body, headers };
  };
}

/** Returns a string as a header value, verbatim if possible. */
const safe = (text: string): string =>
  /^[\x21-\x7e]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** Returns any value as a string; values that are not strings become JSON. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
