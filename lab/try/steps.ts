import { Assistant, answerOf } from "../../test/mcp/support/assistant.ts";
import { type Asked, scriptedModel } from "./models/scripted-model.ts";
import { home } from "./support/home.ts";
import type { Host } from "./support/host.ts";
import { installed } from "./support/install.ts";
import { type Opened, person } from "./support/person.ts";
import type { Ended } from "./support/program.ts";
import type { Exchange } from "./support/recorder.ts";
import { recorded } from "./support/service.ts";

/** What each step asks of a host, in this order. */
export type StepName =
  | "add"
  | "login"
  | "list"
  | "read"
  | "write"
  | "write listed"
  | "write after login"
  | "read after revocation"
  | "read after login";

/** One step of a host: how its program ended, and what it exchanged meanwhile. */
export interface Step {
  name: StepName;
  ended: Ended;
  wire: Exchange[];
  opened: Opened[];
  asked: Asked[];
}

/** A tool that reads, and one that writes; both are listed. */
export const READ = { tool: "get_context", args: {} };
export const WRITE = { tool: "write_leads", args: { action: "create", leads: [{ name: "Rosa Lund" }] } };
const READING = ["mcp:read"];
const EVERYTHING = ["mcp:read", "mcp:write"];

/** Takes a host through all steps; the person grants reading alone until the host asks again. */
export async function stepsOf(host: Host, onStep: (step: Step) => void): Promise<Step[]> {
  const folder = await installed(host.package, host.version);
  await using service = await recorded();
  const { the, wire } = service;
  await using model = await scriptedModel();
  const writer = await Assistant.authorized(the);
  await expectListed(writer);
  wire.exchanges.length = 0; // From here on, only the host's.
  using place = home(host.name, folder, `${the.authUrl}/mcp`, model);
  await using someone = person(await the.signedIn(), the.authUrl, place.opened);
  const { setting } = place;
  const steps: Step[] = [];
  const step = async (name: StepName, work: () => Promise<Ended>): Promise<Step> => {
    const [from, openedFrom, askedFrom] = [wire.exchanges.length, someone.opened.length, model.asked.length];
    const ended = await work();
    const done = {
      ...{ name, ended, wire: wire.exchanges.slice(from) },
      opened: someone.opened.slice(openedFrom),
      asked: model.asked.slice(askedFrom),
    };
    steps.push(done);
    onStep(done);
    return done;
  };
  const { login, logout, list } = host;
  const call = ({ tool, args }: typeof READ) => {
    if (host.calls === "model") model.willCall(tool, args);
    return host.call(setting, tool, args);
  };
  const loginAgain = async () => {
    await logout?.(setting);
    await login?.(setting);
  };

  someone.grants = READING;
  await step("add", () => host.add(setting));
  const isAuthorized = () =>
    wire.exchanges.some(({ path, status }) => path.endsWith("/token") && status === 200);
  // Some authorize when they add.
  if (login !== undefined && !isAuthorized()) await step("login", () => login(setting));
  if (list !== undefined) await step("list", () => list(setting));
  await step("read", () => call(READ));
  if (!isAuthorized()) return steps;

  someone.grants = EVERYTHING;
  let wrote = isCalled(await step("write", () => call(WRITE)), WRITE.tool);
  if (!wrote) {
    wire.listWith = writer.token;
    wrote = isCalled(await step("write listed", () => call(WRITE)), WRITE.tool);
    wire.listWith = undefined;
  }
  if (!wrote && login !== undefined)
    await step("write after login", async () => {
      await loginAgain();
      return call(WRITE);
    });

  await someone.revokes();
  const revoked = await step("read after revocation", () => call(READ));
  if (!isCalled(revoked, READ.tool) && login !== undefined)
    await step("read after login", async () => {
      await login(setting);
      return call(READ);
    });
  return steps;
}

/** Throws if the service does not list the tools: then no host would call them, whatever it was granted. */
async function expectListed(writer: Assistant): Promise<void> {
  const { result } = await answerOf(await writer.ask("tools/list"));
  const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  for (const { tool } of [READ, WRITE])
    if (!names.includes(tool))
      throw new Error(`${tool} is not listed: name another tool in lab/try/steps.ts`);
}

/** Whether the service answered a call of the tool in this step. */
export const isCalled = ({ wire }: Step, tool: string): boolean =>
  wire.some(
    ({ body, status }) => status === 200 && body.includes('"tools/call"') && body.includes(`"${tool}"`),
  );
