// npm run try -- hosts [NAME…] [--wire]: connects real MCP hosts to a service, prints what was seen, and writes it into
// docs/assistants.md. Without names, all of lab/try/hosts. --wire also prints each request, and what each program printed.
import { parseArgs } from "node:util";
import { HOSTS } from "./hosts/list.ts";
import { written } from "./report.ts";
import { rowOf } from "./row.ts";
import { type Step, stepsOf } from "./steps.ts";
import type { Host } from "./support/host.ts";
import { stripped } from "./support/program.ts";
import { database } from "./support/service.ts";
import { wireWords } from "./wire-words.ts";

/** How much of a program's output is shown, in characters. */
const SHOWN = 1_500;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { wire: { type: "boolean", default: false } },
});
const [what, ...names] = positionals;
const isAsked = ({ name }: Host): boolean =>
  names.length === 0 || names.some((asked) => asked.toLowerCase() === name.toLowerCase());
const asked = HOSTS.filter(isAsked);
if (what === "hosts" && asked.length > 0) await tryHosts(asked);
else {
  process.stderr.write(`npm run try -- hosts [${HOSTS.map(({ name }) => `"${name}"`).join(" ")}] [--wire]\n`);
  process.exitCode = 2;
}

/** One host after the other; one that fails does not stop the others. */
async function tryHosts(hosts: readonly Host[]): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  const order = HOSTS.map(({ name }) => name);
  let table = "";
  await using _database = await database();
  for (const host of hosts) {
    console.log(`== ${host.name} ${host.version}`);
    try {
      const steps = await stepsOf(host, values.wire ? showAll : show);
      table = written(rowOf(host, steps, date), order);
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  }
  console.log(`\n${table}`);
}

function show(step: Step): void {
  console.log(`${step.name}: ended with ${step.ended.code}; ${wireWords(step)}`);
}

function showAll(step: Step): void {
  show(step);
  console.log(
    stripped(step.ended.out)
      .replaceAll(/\s*\n\s*/g, "\n")
      .slice(-SHOWN),
  );
  for (const { url, back } of step.opened) console.log(`   opened ${url.href}, sent back to ${back}`);
  for (const { method, path, agent, revision, body, status, challenge, answer } of step.wire)
    console.log(
      [`   ${method} ${path}`, agent, revision, body.slice(0, 300), status, challenge, answer.length].join(
        " · ",
      ),
    );
  for (const { path, offered, result, called } of step.asked)
    console.log(
      [
        `   model ${path}`,
        `${offered.length} tools: ${offered.map(({ name }) => name).join(" ")}`,
        `result ${result.slice(0, 300)}`,
        `called ${called}`,
      ].join(" · "),
    );
}
