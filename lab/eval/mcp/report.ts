import { VERDICTS, type Verdict } from "./check/judge.ts";
import type { ToolList } from "./tool-list.ts";

/** One job as it was scored. */
export interface Scored {
  run: number;
  name: string;
  jobId: string;
  language: string;
  verdict: Verdict;
  faults: string[];
  calls: number;
  tokens: number;
  budget: { calls: number; tokens: number };
}

const withinBudget = ({ calls, tokens, budget }: Scored): boolean =>
  calls <= budget.calls && tokens <= budget.tokens;

const column = (text: string | number, width: number) => String(text).padEnd(width);
const ofAll = (part: number, all: number) => `${all === 0 ? 0 : ((100 * part) / all).toFixed(1)} %`;

/** Returns the scores as a table for the console, with what was wrong in each job. */
export function tableOf(scores: readonly Scored[], list: ToolList): string {
  const lines = scores.flatMap((score) => [
    `${column(`${score.run}/${score.name}`, 9)} ${column(score.jobId, 22)} ${column(score.language, 3)} ` +
      `${column(score.verdict, 12)} ${column(`${score.calls} of ${score.budget.calls} calls`, 16)} ` +
      `${score.tokens} of ${score.budget.tokens} tokens`,
    ...score.faults.map((fault) => `          ${fault}`),
  ]);
  return [...lines, "", ...totalsOf(scores), listLine(list)].join("\n");
}

const counted = (scores: readonly Scored[], verdict: Verdict): number =>
  scores.filter((score) => score.verdict === verdict).length;

function totalsOf(scores: readonly Scored[]): string[] {
  const of = (verdict: Verdict) => counted(scores, verdict);
  const verdicts = VERDICTS.map(
    (verdict) => `${verdict} ${of(verdict)} (${ofAll(of(verdict), scores.length)})`,
  );
  return [
    `${scores.length} jobs: ${verdicts.join(", ")}`,
    `within the budget: ${ofAll(scores.filter(withinBudget).length, scores.length)}; ` +
      `median ${middle(scores.map(({ calls }) => calls))} calls and ` +
      `${middle(scores.map(({ tokens }) => tokens))} tokens of results (an estimate: bytes / 4)`,
  ];
}

const listLine = ({ hash, tools, bytes, tokens }: ToolList): string =>
  `tool list ${hash}: ${tools} tools, ${bytes} bytes, about ${tokens} tokens for a model`;

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

const EMPTY_ROW = /^\| no run yet [^\n]*\n/m;
/** The row of column widths: rows follow it, the newest one first. */
const HEAD = /^(\| date [^\n]*\n\| -[^\n]*\n)/m;

/** Returns docs/evaluation.md with a row of these scores in its table. */
export function withRow(
  page: string,
  { date, agents, scores, list }: { date: string; agents: string; scores: readonly Scored[]; list: ToolList },
): string {
  if (!HEAD.test(page)) throw new Error("the page has no table of scores");
  const cells = [
    ...[
      date,
      `\`${list.hash}\` (${list.tools}, ${list.bytes} bytes, ${list.tokens} tokens)`,
      agents,
      scores.length,
    ],
    ...VERDICTS.map((verdict) => counted(scores, verdict)),
    ofAll(counted(scores, "right"), scores.length),
    middle(scores.map(({ calls }) => calls)),
    middle(scores.map(({ tokens }) => tokens)),
  ];
  return page.replace(EMPTY_ROW, "").replace(HEAD, `$1| ${cells.join(" | ")} |\n`);
}
