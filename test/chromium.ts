import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium as playwright, type Request } from "playwright-core";
import { expectDescribed } from "./answers/expect.ts";
import { CannotRun, failureOf } from "./programs.ts";

// One folder per user: another user could not start what the first one unpacked.
const FOLDER = join(tmpdir(), `leadgate-chromium-${userInfo().uid}-with-libraries-and-font`);
/** Where fontconfig finds the package's font; the package's own file names other folders. */
const FONTS = join(FOLDER, "own-fonts.conf");

/** Starts a real Chromium from an npm package; what its pages receive is checked. Linux only. */
export async function realBrowser(): Promise<Browser> {
  const executablePath = await unpacked();
  const browser = await playwright.launch({
    executablePath,
    env: environmentFor(executablePath),
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

/**
 * Returns an environment in which the program starts and shows text: with the package's libraries (NSS, NSPR, Expat) and its
 * font where the system has none. These libraries need a newer C library than the program does.
 */
function environmentFor(program: string): NodeJS.ProcessEnv {
  const hasFonts = globSync("/usr/share/fonts/**/*.{ttf,otf}").length > 0;
  const env = { ...process.env, ...(hasFonts ? {} : { FONTCONFIG_FILE: FONTS }) };
  const own = { LD_LIBRARY_PATH: join(FOLDER, "al2023", "lib") };
  const reason = failureOf([program, "--version"], "Chromium");
  if (reason === false) return env;
  if (failureOf([program, "--version"], "Chromium", { env: own }) === false) return { ...env, ...own };
  throw new CannotRun(reason);
}

/** Unpacks the package, which takes a while; other processes may do so at the same time. Returns the program's path. */
async function unpacked(): Promise<string> {
  if (!existsSync(FOLDER)) {
    const draft = `${FOLDER}-${process.pid}`;
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    await unpackTo(draft);
    try {
      renameSync(draft, FOLDER);
    } catch {
      // Another process was faster.
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return join(FOLDER, "chromium");
}

/** The package unpacks into TMPDIR, which it reads when it is called; other tests of this process use theirs. */
async function unpackTo(folder: string): Promise<void> {
  const { default: chromium, inflate } = await import("@sparticuz/chromium");
  const libraries = new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  const parts = [chromium.executablePath(), inflate(fileURLToPath(libraries))];
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await Promise.all(parts);
  const [fonts, cache] = [join(FOLDER, "fonts"), join(FOLDER, "fonts-cache")];
  writeFileSync(
    join(folder, "own-fonts.conf"),
    `<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`,
  );
}
