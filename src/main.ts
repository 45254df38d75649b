import process from "node:process";
import { run } from "./cli/run.ts";

if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write(
    `Leadgate needs Node 24; this is ${process.version}. Start it through npm (npm start, npm run demo), which brings its own.\n`,
  );
  process.exit(1);
}
process.exitCode = await run(process.argv.slice(2));
