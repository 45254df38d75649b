import type { LeadsQuery } from "../../../src/contract/leads/query.ts";
import { Draw } from "../../../test/api/filters/support/usual-queries.ts";

const STATUSES = ["new", "contacted", "qualified", "won", "lost"];
const SOURCES = ["website", "referral", "event", "ads", "partner", "cold call"];

/** The leads were created a minute apart, the newest then. */
const NEWEST = Date.UTC(2026, 0, 1);

/** Returns pages of leads with statuses, sources, dates, operators and offsets drawn at random; `span` is in minutes. */
export function variedPages(random: () => number, count: number, span: number): LeadsQuery[] {
  const draw = new Draw(random);
  const at = (minutes: number) => new Date(NEWEST - minutes * 60_000).toISOString();
  const status = () => {
    const op = draw.of(["eq", "eq", "in", "neq"]);
    return {
      field: "status",
      op,
      value: op === "in" ? [draw.of(STATUSES), draw.of(STATUSES)] : draw.of(STATUSES),
    };
  };
  const source = () => {
    const op = draw.of(["eq", "eq", "in", "neq"]);
    return {
      field: "source",
      op,
      value: op === "in" ? [draw.of(SOURCES), draw.of(SOURCES)] : draw.of(SOURCES),
    };
  };
  const created = () => {
    const op = draw.of(["before", "after", "between"]);
    const from = draw.number(span / 10, span);
    return {
      field: "created_at",
      op,
      value: op === "between" ? [at(from), at(draw.number(0, from / 2))] : at(from),
    };
  };
  const shapes = [
    [status],
    [source],
    [created],
    [status, source],
    [status, created],
    [source, created],
    [status, source, created],
  ];
  return Array.from({ length: count }, (): LeadsQuery => {
    const all = draw.of(shapes).map((condition) => condition());
    const [only] = all;
    const filter = (all.length === 1 ? only : { and: all }) as NonNullable<LeadsQuery["filter"]>;
    return { limit: 50, offset: 50 * draw.number(0, 8), filter };
  });
}
