import type { Asked } from "./models/scripted-model.ts";
import { isCalled, READ, type Step, type StepName, WRITE } from "./steps.ts";
import type { Host } from "./support/host.ts";
import { stripped } from "./support/program.ts";
import { messagesOf } from "./support/recorder.ts";
import { resultsOf, wireWords } from "./wire-words.ts";

/** What was seen of a host: the cells of its row, and sentences that explain them. */
export interface Row {
  cells: string[];
  notes: string[];
}

/** The columns of the table, the first of which names the host. */
export const COLUMNS = [
  ...["host", "version", "revision", "adds", "discovers", "registers", "authorizes", "lists", "calls"],
  ...["step-up", "authorizes again", "to its model", "date"],
];

/** Returns the row of a host. */
export function rowOf(host: Host, steps: readonly Step[], date: string): Row {
  const of = (name: StepName) => steps.find((step) => step.name === name);
  const wire = steps.flatMap((step) => step.wire);
  const found = (path: string) => wire.some((each) => each.path.includes(path) && each.status === 200);
  const read = of("read");
  const isRead = read !== undefined && isCalled(read, READ.tool);
  const tools = steps.flatMap((step) => resultsOf(step, "tools/list"))[0]?.tools as
    | { name: string }[]
    | undefined;
  const isAuthorized = wire.some(({ path, status }) => path.endsWith("/token") && status === 200);
  const up = stepUp(of);
  const again = authorizesAgain(of);
  return {
    cells: [
      ...[host.name, host.version, revisionOf(steps)],
      of("add")?.ended.code === 0 ? "yes" : "no",
      found("oauth-protected-resource") && found("oauth-authorization-server") ? "yes" : "no",
      registers(steps),
      isAuthorized ? "yes" : "no",
      tools === undefined ? "no" : `${tools.length} tools`,
      isRead ? (host.calls === "model" ? "yes, scripted model" : "yes") : "no",
      ...[up.cell, again.cell],
      host.calls === "model" ? toModel(isRead ? read.asked : [], tools ?? []) : "–",
      date,
    ],
    notes: isAuthorized ? [...up.notes, ...again.notes] : notAuthorized(read),
  };
}

type Of = (name: StepName) => Step | undefined;
interface Cell {
  cell: string;
  notes: string[];
}

/** The revision of the protocol that the host spoke at last; some do not repeat it in a header. */
function revisionOf(steps: readonly Step[]): string {
  const spoken = steps
    .flatMap((step) => step.wire)
    .filter(({ body }) => messagesOf(body).some(({ method }) => /^tools\//.test(method ?? "")))
    .map(({ revision }) => revision)
    .filter((revision) => revision !== "");
  const agreed = steps.flatMap((step) => resultsOf(step, "initialize")).at(-1)?.protocolVersion;
  return spoken.at(-1) ?? String(agreed ?? "–");
}

function registers(steps: readonly Step[]): string {
  const ids = steps.flatMap((step) => step.opened).map(({ url }) => url.searchParams.get("client_id") ?? "");
  if (ids.some((id) => id.startsWith("https:"))) return "client document";
  const answers = steps.flatMap((step) => step.wire).filter(({ path }) => path.endsWith("/register"));
  if (answers.some(({ status }) => status === 201)) return "dynamically";
  return "no";
}

const notAuthorized = (read: Step | undefined): string[] =>
  read === undefined ? [] : [`It does not sign in without a terminal: ${wireWords(read)}${told(read)}.`];

/** What a call of a writing tool led to while the host could only read. */
function stepUp(of: Of): Cell {
  const [plain, listed, afterLogin] = [of("write"), of("write listed"), of("write after login")];
  if (plain === undefined) return { cell: "–", notes: [] };
  if (isCalled(plain, WRITE.tool)) return { cell: "by itself", notes: [`Step-up: ${wireWords(plain)}.`] };
  const wasSent = plain.wire.some(({ body }) => body.includes('"tools/call"'));
  const byListing = listed !== undefined && isCalled(listed, WRITE.tool);
  const bySignIn = afterLogin !== undefined && isCalled(afterLogin, WRITE.tool);
  const cell = byListing ? "if the tool is listed" : bySignIn ? "by signing in again" : "no";
  const first = wasSent
    ? `A writing tool with read access: ${wireWords(plain)}${told(plain)}.`
    : `A writing tool is not listed with read access, and the host does not send its call${told(plain)}.`;
  const second =
    wasSent || listed === undefined ? [] : [`If it is listed: ${wireWords(listed)}${told(listed)}.`];
  return { cell, notes: [first, ...second] };
}

/** What a call led to after the person had revoked the access. */
function authorizesAgain(of: Of): Cell {
  const [revoked, afterLogin] = [of("read after revocation"), of("read after login")];
  if (revoked === undefined) return { cell: "–", notes: [] };
  const note = `After revocation: ${wireWords(revoked)}${told(revoked)}.`;
  if (isCalled(revoked, READ.tool)) return { cell: "by itself", notes: [note] };
  const bySignIn = afterLogin !== undefined && isCalled(afterLogin, READ.tool);
  return { cell: bySignIn ? "by signing in again" : "no", notes: [note] };
}

const TOLD_LENGTH = 140;
const COMPLAINT = /error|required|denied|unauthori[sz]ed/i;

/** What the model was told last, if it called something, or what the program complained about. */
function told({ asked, ended }: Step): string {
  const answered = asked.filter((_, at) => asked[at - 1]?.called !== undefined).at(-1);
  if (answered !== undefined) return `; its model reads “${shortened(answered.result)}”`;
  const complaint = stripped(ended.out)
    .split("\n")
    .find((line) => COMPLAINT.test(line));
  return ended.code === 0 || complaint === undefined ? "" : `; it prints “${shortened(complaint)}”`;
}

const shortened = (text: string): string =>
  text.length > TOLD_LENGTH ? `${text.slice(0, TOLD_LENGTH)}…` : text;

/** Which of our tools the host declared to its model, in bytes of JSON. */
function toModel(asked: readonly Asked[], tools: readonly { name: string }[]): string {
  const counts = asked.map(({ offered }) => {
    const known = offered.find(({ name }) => name.endsWith(READ.tool));
    const names = tools.map(({ name }) => known?.name.replace(READ.tool, name));
    return offered.filter(({ name, namespace }) => names.includes(name) && namespace === known?.namespace);
  });
  const most = counts.sort((a, b) => b.length - a.length)[0] ?? [];
  if (most.length === 0) return asked.length > 0 ? "described after a search" : "none";
  const bytes = most.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  const schemas = most.some(({ json }) => /output_?schema/i.test(json)) ? "with" : "without";
  const isSearched = most.length < tools.length;
  const count = isSearched ? `${most.length} of ${tools.length}` : `${most.length}`;
  const when = isSearched ? ", each after a search for it" : "";
  return `${count} tools${when}, ${bytes.toLocaleString("en")} bytes, ${schemas} output schemas`;
}
