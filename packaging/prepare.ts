// Runs after npm ci: builds the panel and the TypeScript client, unless the packages that build them were left out. A release
// archive has the panel, but not its sources.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

const isBuilt = existsSync("web/dist/.vite/manifest.json");
if (existsSync("web/src") && existsSync("node_modules/vite/package.json")) {
  const { status } = spawnSync("npm", ["run", "-s", "build"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
} else if (!isBuilt) {
  process.stderr.write(
    "Leadgate is installed without its panel, which development packages build. Run npm ci without --omit=dev, or install a\n" +
      "release archive, which has the panel: see docs/operate/install.md.\n",
  );
}
