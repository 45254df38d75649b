// Takes a screenshot of every screen and page, with invented data: npm run pictures [names…]
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { SCREENS } from "../../src/core/panel.ts";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { Application } from "../../test/oauth/support/application.ts";
import { type PanelWorld, panelWorld } from "../../test/panel/support/panel.ts";
import { settledOf } from "../../test/panel/support/settled.ts";
import { prepareTemplate } from "../../test/template.ts";
import { SCENES, type Scene, type Stage } from "./scenes.ts";
import { seed } from "./seed.ts";

const FOLDER = import.meta.dirname;
const MOST_BYTES = 4_000_000;
const SIZES = { desktop: { width: 1_440, height: 900 }, phone: { width: 390, height: 844 } };
const screens: readonly string[] = SCREENS;

const asked = process.argv.slice(2);
const there = SCENES.filter(({ screen }) => screen === undefined || screens.includes(screen));
const scenes = there.filter(({ name }) => asked.length === 0 || asked.includes(name));

const data = mkdtempSync(join(tmpdir(), "leadgate-pictures-"));
const server = await startEmbedded({ dataDir: data });
try {
  await prepareTemplate(server.url);
  process.env.LEADGATE_TEST_SERVER = server.url;
  await using the = await panelWorld({ env: { LIMITS: "{}" } });
  const stage = await staged(the);
  for (const scene of scenes) await take(the, stage, scene);
  writeFileSync(join(FOLDER, "README.md"), readme());
  await the.chromium.close();
} finally {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
const bytes = there.reduce((sum, scene) => sum + statSync(join(FOLDER, fileOf(scene))).size, 0);
console.log(`${there.length} pictures, ${(bytes / 1_000_000).toFixed(2)} MB`);
if (bytes > MOST_BYTES) throw new Error("The pictures exceed 4 MB: take fewer or smaller ones");
process.exit();

async function staged(the: PanelWorld): Promise<Stage> {
  const { lead } = await seed(the);
  for (const name of ["Claude", "Quarterly report"])
    await (await Application.register(the, { client_name: name })).tokens(await the.signedIn());
  const asking = await Application.register(the, { client_name: "Inbox assistant" });
  await the.newProject(the.person, "Workshop Bookings");
  return { project: the.project.id, lead, consent: asking.address() };
}

async function take(the: PanelWorld, stage: Stage, scene: Scene): Promise<void> {
  const context = await the.chromium.newContext({
    viewport: SIZES[scene.phone === true ? "phone" : "desktop"],
    deviceScaleFactor: scene.phone === true ? 1.5 : 1,
    locale: "en",
    colorScheme: scene.look ?? "light",
    reducedMotion: "reduce",
  });
  try {
    if (scene.anonymous !== true) {
      const { cookies } = await the.signedIn();
      await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: the.authUrl })));
    }
    const page = await context.newPage();
    const settled = settledOf(page);
    const path = scene.at?.(stage) ?? scene.screen ?? "/";
    await page.goto(the.authUrl + (path.startsWith("/") ? path : `/projects/${stage.project}/${path}`));
    await page.locator("h1").first().waitFor();
    await settled();
    await scene.act?.(page);
    await settled();
    await page.waitForTimeout(700);
    const file = join(FOLDER, fileOf(scene));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await webp(context, page));
    const { SHOTS } = process.env;
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${scene.name}.png`) });
    console.log(scene.name);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${scene.name}: ${(error as Error).message}`);
  } finally {
    await context.close();
  }
}

/** Returns a WebP screenshot, a third of the size of a PNG; Playwright itself cannot write WebP. */
async function webp(context: BrowserContext, page: Page): Promise<Buffer> {
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 84 });
  return Buffer.from(data, "base64");
}

/** The picture of a scene, in a folder by kind, relative to this folder. */
function fileOf({ name, look, phone, screen }: Scene): string {
  const kind = phone === true ? "phone" : look === "dark" ? "dark" : screen === undefined ? "pages" : "panel";
  return `${kind}/${name}.webp`;
}

function readme(): string {
  const part = (title: string, of: (scene: Scene) => boolean, width?: number) => {
    const pictures = there
      .filter(of)
      .map((scene) => [scene.title, fileOf(scene)] as const)
      .map(([title, file]) =>
        width === undefined
          ? `### ${title}\n\n![${title}](${file})`
          : `<img src="${file}" width="${width}" alt="${title}, on a phone">`,
      );
    return [`## ${title}`, ...(width === undefined ? pictures : [pictures.join("\n")])];
  };
  const plain = ({ look, phone }: Scene) => look === undefined && phone === undefined;
  return `${[
    "# Pictures",
    "`npm run pictures` retakes all of them in a real browser, with invented data; `npm run pictures -- leads board` retakes only those.\nTo add a screen, add a line to [scenes.ts](scenes.ts).",
    ...part("The panel", (scene) => plain(scene) && scene.screen !== undefined),
    ...part("Pages", (scene) => plain(scene) && scene.screen === undefined),
    ...part("Dark", ({ look }) => look === "dark"),
    ...part("On a phone", ({ phone }) => phone === true, 260),
  ].join("\n\n")}\n`;
}
