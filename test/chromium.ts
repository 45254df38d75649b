import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { type Browser, chromium as playwright } from "playwright-core";

// One folder per user: another user could not start what the first one unpacked.
const FOLDER = join(tmpdir(), `leadgate-chromium-${userInfo().uid}-whole`);

/** Starts a real Chromium from an npm package. Linux only. */
export async function realBrowser(): Promise<Browser> {
  const { default: chromium } = await import("@sparticuz/chromium");
  return await playwright.launch({
    executablePath: await unpacked(chromium),
    // Instead of the package's defaults, which render slowly in software and switch web security off.
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    headless: true,
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
