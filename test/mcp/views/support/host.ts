import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import type { Browser, Frame, Page } from "playwright-core";
import { build, type Rollup } from "vite";
import { realBrowser } from "../../../chromium.ts";
import { builtPanel } from "../../../panel/support/built.ts";
import type { Told } from "./answers.ts";

export type ViewName = "results" | "lead" | "change";

/** Returns the document of a view, as the panel's build made it. */
const documentOf = (name: ViewName): string =>
  readFileSync(join(builtPanel(), "views", `${name}.html`), "utf8");

interface Visit {
  context?: McpUiHostContext;
  width?: number;
  /** Whether the host can open links, and does. */
  links?: "opened" | "refused" | "none";
}

/** A view in a host. */
export interface Shown {
  page: Page;
  frame: Frame;
  /** Sends another answer. */
  answer(told: Told | { args: Told["args"]; result: unknown }): Promise<void>;
  cancel(): Promise<void>;
  /** Changes the host's context. */
  change(context: McpUiHostContext): Promise<void>;
  /** Asks the view to end; returns its answer. */
  close(): Promise<unknown>;
  /** URLs that the view asked the host to open. */
  links(): Promise<string[]>;
  /** The last size that the view reported. */
  size(): Promise<{ width: number; height: number }>;
  /** What the page did that no view may do: errors, violations of the policy, requests. */
  faults: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const WIDE = 720;
export const NARROW = 360;

let script: Promise<string> | undefined;
let browser: Promise<Browser> | undefined;

/** Returns the script of the host's page with the package's own class. */
async function hostScript(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      rollupOptions: {
        input: resolve(import.meta.dirname, "host-page.js"),
        output: { format: "iife" },
      },
    },
  })) as Rollup.RollupOutput;
  return output[0].code;
}

/** Shows a view in a host that declares what it can; the view has initialized. */
export async function shown(
  view: ViewName,
  { context = {}, width = WIDE, links = "opened" }: Visit = {},
): Promise<Shown> {
  script ??= hostScript();
  browser ??= realBrowser();
  const [code, chromium] = await Promise.all([script, browser]);
  const visit = await chromium.newContext({ viewport: { width, height: 600 }, reducedMotion: "reduce" });
  const page = await visit.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => faults.push(`request: ${request.url()}`));
  await page.exposeFunction("hit", () => faults.push("a text of a lead ran as script"));
  await page.setContent("<!doctype html><html lang=en><title>Host</title><body style='margin:0'></body>");
  await page.addScriptTag({ content: code });
  const capabilities = links === "none" ? {} : { openLinks: {} };
  const inPage = <T>(call: string, args: readonly unknown[] = []): Promise<T> =>
    page.evaluate(`window.host.${call}(...${JSON.stringify(args)})`);
  await inPage("open", [documentOf(view), { context, capabilities, opensLinks: links === "opened" }]);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error("the host shows no view");
  const settled = () =>
    frame.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  return {
    page,
    frame,
    faults,
    async answer({ args, result }) {
      await inPage("show", [args, result]);
      await settled();
    },
    async cancel() {
      await inPage("cancel");
      await settled();
    },
    async change(changed) {
      await inPage("change", [{ ...context, ...changed }]);
      await settled();
    },
    close: () => inPage("close"),
    links: () => page.evaluate("window.host.seen.links"),
    size: () => page.evaluate("window.host.seen.sizes.at(-1)"),
    [Symbol.asyncDispose]: () => visit.close(),
  };
}
