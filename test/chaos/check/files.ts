import { callsOf, type History, isAcknowledged, isUnknown, listIn, numberIn, textIn } from "../history.ts";
import type { Broken } from "./broken.ts";
import { checkSnapshot } from "./snapshot.ts";
import { finalLeads, seenIn } from "./writes.ts";

/** A committed import is all rows once, with the right counts; one that was never committed is none. */
export function checkImports(history: History): Broken[] {
  const broken: Broken[] = [];
  const say = (what: string) => broken.push({ promise: "imports", what });
  const externals = Map.groupBy(finalLeads(history).leads, ({ external }) => external.replace(/-\d+$/, ""));
  const created = new Set(
    callsOf(history, "feed.page")
      .filter(isAcknowledged)
      .flatMap(({ answer }) => listIn(answer, "events"))
      .filter((event) => textIn(event, "type") === "lead.created")
      .map((event) => textIn(event, "lead_id")),
  );
  for (const upload of callsOf(history, "import.upload")) {
    const prefix = String(upload.about.prefix);
    const rows = Number(upload.about.rows);
    const there = externals.get(prefix) ?? [];
    const commits = callsOf(history, "import.commit").filter(({ about }) => about.prefix === prefix);
    const isSure = commits.some((call) => isAcknowledged(call) || call.status === 409);
    const isPossible = isSure || commits.some(isUnknown);
    if (commits[0]?.status === 409) say(`${prefix} was refused although nobody had committed it`);
    const last = callsOf(history, "import.read")
      .filter((call) => isAcknowledged(call) && call.about.id === textIn(upload.answer, "id"))
      .at(-1)?.answer;
    if (!isPossible && there.length > 0)
      say(`${prefix} was not committed, but ${there.length} of its rows are leads`);
    if (there.length !== 0 && there.length !== rows)
      say(`${there.length} of the ${rows} rows of ${prefix} are leads`);
    if (there.some(({ id }) => !created.has(id))) say(`the feed lacks leads of ${prefix}`);
    if (!isSure) continue;
    if (there.length === 0) say(`no row of ${prefix} is a lead`);
    const counts = ["rows", "created", "updated", "unchanged", "skipped", "failed"].map((name) =>
      numberIn(last, name),
    );
    if (textIn(last, "state") !== "done" || counts.join() !== [rows, rows, 0, 0, 0, 0].join())
      say(`${prefix} with ${rows} rows ended as ${JSON.stringify(last)}`);
  }
  return broken;
}

/** An export that was started ends, and its file is complete and as of one point in time. */
export function checkExports(history: History): Broken[] {
  const broken: Broken[] = [];
  const say = (what: string) => broken.push({ promise: "exports", what });
  const reads = callsOf(history, "export.read").filter(isAcknowledged);
  const files = callsOf(history, "export.file").filter(isAcknowledged);
  for (const begun of callsOf(history, "export.start").filter(isAcknowledged)) {
    const id = textIn(begun.answer, "id");
    const done = reads.find(({ answer, about }) => about.id === id && textIn(answer, "state") === "done");
    if (done === undefined) {
      const last = reads.findLast(({ about }) => about.id === id);
      say(`${id} did not end: ${JSON.stringify(last?.answer)}`);
      continue;
    }
    const file = files.find(({ about }) => about.id === id);
    if (file === undefined) {
      say(`${id} could not be downloaded`);
      continue;
    }
    const text = textIn(file.answer, "text");
    const lines = text.split("\n");
    const [bytes, total] = [numberIn(done.answer, "bytes"), numberIn(done.answer, "done")];
    if (lines.pop() !== "" || Buffer.byteLength(text) !== bytes || lines.length !== total)
      say(`${id} has ${lines.length} rows and ${Buffer.byteLength(text)} bytes, not ${total} and ${bytes}`);
    const leads = lines.map((line) => seenIn(parsed(line)));
    if (new Set(leads.map((lead) => lead.id)).size !== leads.length) say(`${id} has a lead twice`);
    const snapshot = { leads, start: begun.start, end: done.end, name: id };
    broken.push(...checkSnapshot(history, snapshot, "exports"));
  }
  return broken;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
