import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { type Browser, chromium as playwright, type Request } from "playwright-core";
import { expectDescribed } from "./answers/expect.ts";

// One folder per user: another user could not start what the first one unpacked.
const FOLDER = join(tmpdir(), `leadgate-chromium-${userInfo().uid}-whole`);

/** Starts a real Chromium from an npm package; what its pages receive is checked. Linux only. */
export async function realBrowser(): Promise<Browser> {
  const { default: chromium } = await import("@sparticuz/chromium");
  const browser = await playwright.launch({
    executablePath: await unpacked(chromium),
    // Instead of the package's defaults, which render slowly in software and switch web security off.
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    headless: true,
  });
  browser.on("context", (context) => context.on("requestfinished", expectDescribedTo));
  return browser;
}

/** Checks the answer to a page's own call; a page that was closed meanwhile keeps its answer to itself. */
async function expectDescribedTo(request: Request): Promise<void> {
  if (request.resourceType() !== "fetch") return;
  const response = await request.response().catch(() => null);
  const body = await response?.text().catch(() => undefined);
  const headers = new Headers(response?.headers());
  // Answers without an id of the request are made up by tests.
  if (response === null || body === undefined || !headers.has("x-request-id")) return;
  await expectDescribed({
    method: request.method(),
    path: new URL(request.url()).pathname,
    status: response.status(),
    headers,
    body,
  });
}

/** Unpacks the package into TMPDIR, which takes a while; other processes may do so at the same time. */
async function unpacked(chromium: { executablePath(): Promise<string> }): Promise<string> {
  if (!existsSync(FOLDER)) {
    const draft = `${FOLDER}-${process.pid}`;
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    process.env.TMPDIR = draft;
    await chromium.executablePath();
    try {
      renameSync(draft, FOLDER);
    } catch {
      // Another process was faster.
      rmSync(draft, { recursive: true, force: true });
    }
  }
  process.env.TMPDIR = FOLDER;
  return await chromium.executablePath();
}
