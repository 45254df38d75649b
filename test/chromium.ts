import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { type Browser, chromium as playwright } from "playwright-core";

// A folder a user: the second user could not start what the first one unpacked.
const FOLDER = join(tmpdir(), `leadgate-chromium-${userInfo().uid}-whole`);

/** A real Chromium out of an npm package. Linux only. */
export async function realBrowser(): Promise<Browser> {
  const { default: chromium } = await import("@sparticuz/chromium");
  return await playwright.launch({
    executablePath: await unpacked(chromium),
    // Not the package's own: they draw with a slow GPU in software and switch the web's security off.
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    headless: true,
  });
}

/** The package unpacks itself into TMPDIR, which takes a while: whole or not at all, whoever else is at it. */
async function unpacked(chromium: { executablePath(): Promise<string> }): Promise<string> {
  if (!existsSync(FOLDER)) {
    const draft = `${FOLDER}-${process.pid}`;
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    process.env.TMPDIR = draft;
    await chromium.executablePath();
    try {
      renameSync(draft, FOLDER);
    } catch {
      // another process was faster
      rmSync(draft, { recursive: true, force: true });
    }
  }
  process.env.TMPDIR = FOLDER;
  return await chromium.executablePath();
}
