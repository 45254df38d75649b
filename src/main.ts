import { enableCompileCache } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write(
    `Leadgate needs Node 24; this is ${process.version}. Start it through npm (npm start, npm run demo), which brings its own.\n`,
  );
  process.exit(1);
}
// The compile cache is next to the installed packages, if that folder is writable: the next start takes half the
// time.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/leadgate", import.meta.url)));
const { run } = await import("./cli/run.ts");
process.exitCode = await run(process.argv.slice(2));
