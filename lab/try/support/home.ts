import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptedModel } from "../models/scripted-model.ts";
import type { Setting } from "./host.ts";
import { endAllOf, run } from "./program.ts";

/** The names under which programs look for a browser. */
const BROWSERS = ["xdg-open", "open", "sensible-browser", "x-www-browser"];
const LIMIT_MS = 120_000;

/** A home for one host, in which a browser is a program that writes the URL into the file `opened`. */
export interface Home extends Disposable {
  setting: Setting;
  opened: string;
}

/** Makes the home. Programs get nothing of this process's environment, so no account of the user is found. */
export function home(name: string, folder: string, url: string, model: ScriptedModel): Home {
  const root = mkdtempSync(join(tmpdir(), `leadgate-host-${name.replaceAll(/\W+/g, "-")}-`));
  const [bin, work, opened] = [join(root, "bin"), join(root, "work"), join(root, "opened")];
  for (const path of [bin, work, join(root, "tmp")]) mkdirSync(path);
  for (const browser of BROWSERS)
    writeFileSync(join(bin, browser), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${opened}'\n`, { mode: 0o755 });
  symlinkSync(process.execPath, join(bin, "node"));
  const env = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: root,
    TMPDIR: join(root, "tmp"),
    BROWSER: join(bin, "xdg-open"),
    // Without a display, some hosts do not try to open a browser.
    DISPLAY: ":99",
    TERM: "xterm-256color",
    NO_COLOR: "1",
    LANG: "C.UTF-8",
  };
  const end = () => {
    endAllOf(root);
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  };
  // Also if the run is interrupted.
  process.once("exit", end);
  return {
    opened,
    setting: {
      ...{ home: root, url, model, folder, env },
      run: (words, { env: more = {}, ...options } = {}) =>
        run(words, { cwd: work, limitMs: LIMIT_MS, ...options, env: { ...env, ...more } }),
    },
    [Symbol.dispose]() {
      process.off("exit", end);
      end();
    },
  };
}
