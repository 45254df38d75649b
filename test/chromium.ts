import { mkdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { type Browser, chromium as playwright } from "playwright-core";

/** A real Chromium out of an npm package. Linux only. */
export async function realBrowser(): Promise<Browser> {
  // The package unpacks itself into TMPDIR under a fixed name: a folder a user, or the second user cannot start it.
  const folder = join(tmpdir(), `leadgate-chromium-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env.TMPDIR = folder;
  const { default: chromium } = await import("@sparticuz/chromium");
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...chromium.args.filter((arg) => !arg.startsWith("--single-process") && !arg.startsWith("--headless")),
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
    headless: true,
  });
}
