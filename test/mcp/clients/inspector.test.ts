import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LEADS } from "../../../src/surfaces/mcp/registry-of-leads.ts";
import { deciding } from "../../clients/support/person.ts";
import { large } from "../../large.ts";
import { fetchPackage } from "../../packages/fetch-package.ts";
import { freePort, world } from "../../world.ts";
import { LISTED, PROMPT_USES, structured, TOOL_USES, uriOf } from "../support/every-use.ts";
import { ground } from "../support/ground.ts";

const { folder, skip } = await fetchPackage("inspector", "@modelcontextprotocol/inspector");
const COMMAND = join(folder, "../../.bin/mcp-inspector");

/** Each use starts a process: by default one use of every kind, since the tests of the SDK's clients cover all. */
const EVERYTHING = process.env.MCP_INSPECT === "everything";

interface Run {
  code: number | null;
  out: string;
  err: string;
}

/**
 * Runs the inspector's command line with its own home; it asks a person only if it may open a browser, for
 * which `true` stands in.
 */
function inspector(
  home: string,
  args: readonly string[],
  heard: (err: string) => void = () => undefined,
): Promise<Run> {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    MCP_AUTO_OPEN_ENABLED: "true",
    BROWSER: "true",
    MCP_INSPECTOR_SECRET_STORE: "file",
    NO_COLOR: "1",
  };
  const child = spawn(process.execPath, [COMMAND, "--cli", ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    err += data.toString();
    heard(err);
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out, err })));
}

large(
  "the inspector's command line is authorized by a person, finds nothing wrong with any schema and uses one of each kind",
  {
    skip,
  },
  async () => {
    await using the = await world();
    const { browser, ...things } = await ground(the);
    const home = await mkdtemp(join(tmpdir(), "leadgate-inspector-"));
    const server = [`${the.authUrl}/mcp`, "--transport", "http", "--format", "json"];
    const callback = ["--callback-url", `http://127.0.0.1:${await freePort()}/oauth/callback`];
    let asked = false;
    const login = (err: string) => {
      const address = /navigate to:\s+(http\S+)/.exec(err)?.[1];
      if (asked || address === undefined) return;
      asked = true;
      void deciding(browser)(new URL(address)).then((back) => fetch(back));
    };
    try {
      const strict = await inspector(
        home,
        [...server, ...callback, "--method", "tools/list", "--strict"],
        login,
      );
      assert.ok(asked, `the person was asked\n${strict.err}`);
      assert.equal(strict.code, 0, strict.err);
      assert.doesNotMatch(strict.err, /Suggestion:|portab/i, "no finding");
      const { tools } = resultOf(strict) as { tools: { name: string }[] };
      assert.deepEqual(tools.map(({ name }) => name).sort(), [...LISTED].sort());

      const again = async (...args: string[]): Promise<unknown> => {
        const run = await inspector(home, [...server, "--stored-auth-only", ...args]);
        assert.equal(run.code, 0, `${args.join(" ")}\n${run.err}\n${run.out}`);
        return resultOf(run);
      };
      const templated = ({ uriTemplate }: { uriTemplate: string }) => uriOf(uriTemplate, things);
      const use = (name: string) => async () => {
        const json = JSON.stringify(TOOL_USES[name]?.(things));
        const call = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", json];
        structured(await again(...call), name);
      };
      const read = (uri: string) => async () => {
        const { contents } = (await again("--method", "resources/read", "--uri", uri)) as {
          contents: { text: string }[];
        };
        assert.ok(JSON.parse(contents[0]?.text ?? ""));
      };
      const getPrompt = (name: string) => async () => {
        const args = Object.entries(PROMPT_USES[name]?.(things) ?? {}).map(
          ([key, value]) => `${key}=${value}`,
        );
        const wanted = ["--prompt-name", name, ...(args.length === 0 ? [] : ["--prompt-args", ...args])];
        const got = (await again("--method", "prompts/get", ...wanted)) as { messages: unknown[] };
        assert.equal(got.messages.length, 2, name);
      };
      const work = EVERYTHING
        ? [
            ...Object.keys(TOOL_USES).map(use),
            ...[...LEADS.resources.map(({ uri }) => uri), ...LEADS.templates.map(templated)].map(read),
            ...Object.keys(PROMPT_USES).map(getPrompt),
          ]
        : [
            ...["find_leads", "write_leads"].map(use),
            read(uriOf("leads://leads/{lead_id}", things)),
            getPrompt("qualify_lead"),
          ];
      const worker = async () => {
        for (let next = work.shift(); next !== undefined; next = work.shift()) await next();
      };
      await Promise.all([worker(), worker()]);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
);

/** Returns the JSON that a run printed; its content is at the top level or in `result`. */
function resultOf({ out }: Run): unknown {
  const value = JSON.parse(out) as Record<string, unknown>;
  return "result" in value ? value.result : value;
}
