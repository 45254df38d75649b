// Loaded into a test's process: notes what the pages that it opens execute of the panel, as V8 notes what the process does.
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";

const launch = chromium.launch.bind(chromium);
chromium.launch = async (options) => {
  const browser = await launch(options);
  browser.on("context", (context) => {
    context.on("page", (page) => page.coverage.startJSCoverage({ resetOnNavigation: false }));
    const close = context.close.bind(context);
    context.close = async (why) => {
      await noteAll(context);
      await close(why);
    };
  });
  return browser;
};

const noteAll = (context: BrowserContext) => Promise.all(context.pages().map(note));

async function note(page: Page): Promise<void> {
  const result = await page.coverage.stopJSCoverage().catch(() => []);
  const name = `page-${randomUUID()}.json`;
  writeFileSync(join(process.env.NODE_V8_COVERAGE ?? "", name), JSON.stringify({ result }));
}
