import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { dayOf } from "../data/clock.ts";
import { type Facts, factsOf } from "../data/facts.ts";
import type { Program } from "../data/program.ts";
import { attachedProgram } from "../data/program.ts";
import { storyOf } from "../data/story.ts";
import { judge } from "./check/judge.ts";
import { JOBS } from "./jobs/all.ts";
import type { Job } from "./jobs/job.ts";
import { answerPath, outcomeOf } from "./outcome-of.ts";
import { readRecord } from "./recorder.ts";
import { type Scored, tableOf, withRow } from "./report.ts";
import { privateOf, readState, type Slot, type State } from "./state.ts";
import { readToolList, type ToolList, tokensOf } from "./tool-list.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);
const PAGE = "docs/evaluation.md";

export const jobOf = (id: string): Job => {
  const job = JOBS.find((each) => each.id === id);
  if (job === undefined) throw new Error(`there is no job ${id}`);
  return job;
};

export const factsIn = (state: State): Facts =>
  factsOf(storyOf(new Date(state.now), state.seed), state.planted);

/** Runs the checker of one job. */
export async function scoreSlot(
  program: Pick<Program, "service" | "sql">,
  facts: Facts,
  { state, folder, slot }: { state: State; folder: string; slot: Slot },
): Promise<Scored> {
  const job = jobOf(slot.jobId);
  const outcome = await outcomeOf(program, { state, folder, slot });
  const calls = readRecord(folder, slot).filter(
    ({ method }) => method === "tools/call" || method === "resources/read",
  );
  return {
    ...{ run: slot.run, name: slot.name, jobId: job.id, language: job.language, budget: job.budget },
    ...judge(job.expects(facts), outcome),
    calls: calls.length,
    tokens: tokensOf(calls.reduce((sum, { answered }) => sum + answered, 0)),
  };
}

/** Scores every job of a folder that has an answer, or all with `all`; prints the table, and records it on request. */
export async function score(
  folder: string,
  { record, agents, all }: { record: boolean; agents: string; all: boolean },
): Promise<void> {
  const state = readState(folder);
  if (state === undefined) throw new Error(`${folder} has no prepared jobs`);
  const facts = factsIn(state);
  await using program = await attachedProgram(privateOf(folder));
  const tried = state.slots.filter(
    (slot) => all || existsSync(answerPath(folder, slot)) || readRecord(folder, slot).length > 0,
  );
  const scores: Scored[] = [];
  for (const slot of tried) scores.push(await scoreSlot(program, facts, { state, folder, slot }));
  const list = JSON.parse(readFileSync(toolListIn(folder), "utf8")) as ToolList;
  say(tableOf(scores, list));
  warnOfMidnight(folder, state, tried);
  writeFileSync(join(privateOf(folder), "scores.json"), JSON.stringify({ list, scores }, null, 1));
  if (!record) return;
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(PAGE, withRow(readFileSync(PAGE, "utf8"), { date, agents, scores, list }));
  say(`${PAGE} has a row of it.`);
}

const toolListIn = (folder: string): string => join(privateOf(folder), "tools.json");

/** Stores the tool list that is being served: scores are recorded with it, also when another version is at hand. */
export async function keepToolList(folder: string, authUrl: string, { slots }: State): Promise<ToolList> {
  const list = await readToolList(`${authUrl}/mcp`, slots[0]?.token ?? "");
  const path = toolListIn(folder);
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ToolList).hash : list.hash;
  if (before !== list.hash)
    say(`The tool list was ${before} before: score what was done with it in another folder.`);
  writeFileSync(path, JSON.stringify(list));
  return list;
}

/** What happened since yesterday is another answer on the next day. */
function warnOfMidnight(folder: string, state: State, slots: readonly Slot[]): void {
  const planted = dayOf(new Date(state.now));
  const late = slots.filter((slot) =>
    readRecord(folder, slot).some(({ at }) => dayOf(new Date(at)) !== planted),
  );
  if (late.length > 0)
    say(
      `${late.length} jobs were worked on after the day on which the data was planted: their facts may be old.`,
    );
}
