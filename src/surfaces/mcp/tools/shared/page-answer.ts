import { type TSchema, Type } from "typebox";
import type { OffsetPage } from "../../../../domain/operation/page.ts";
import { leadRecord } from "./lead-record.ts";
import { ANSWER_BYTES, fitList, RECORD_BYTES } from "./size.ts";
import { Hint, oneOf, Truncated, UntrustedContent } from "./words.ts";

/** Room for what surrounds the records. */
const FRAME_BYTES = 1_000;

/** Returns the schema of a page of records under `name`. */
export const pageSchema = (name: string, record: TSchema, more: Record<string, TSchema> = {}) =>
  Type.Object({
    [name]: Type.Array(record, { description: "The records of this page, in order." }),
    ...more,
    count: Type.Integer({ description: `How many ${name} are in this answer.` }),
    has_more: Type.Boolean({ description: "Whether there are more pages." }),
    next_offset: Type.Optional(
      Type.Integer({ description: "The offset of the next page; absent on the last one." }),
    ),
    total: Type.Optional(Type.Integer({ description: "All matches." })),
    total_relation: Type.Optional(oneOf(["eq", "gte"], "gte: there are at least total matches.")),
    truncated: Truncated,
    hint: Hint,
    untrusted_content: UntrustedContent,
  });

/** A page; `json`, if present, is its records as serialized by the database, larger than what is shown of them. */
type Page = Pick<OffsetPage, "hasMore" | "total" | "totalRelation"> & { json?: string };

/**
 * Returns a page as an answer of 60 KB at most: records that do not fit start the next page. `hints` say what
 * else can be done about records that did not fit, and about those that were cut.
 */
export function pageAnswer(
  name: string,
  records: readonly unknown[],
  page: Page,
  offset: number,
  hints: { left: string; cut: string },
): object {
  const all = records.map((record) => leadRecord(record, RECORD_BYTES));
  const room = ANSWER_BYTES - FRAME_BYTES;
  const small = page.json !== undefined && Buffer.byteLength(page.json) <= room;
  const shown = small ? all : fitList(all, room);
  const left = all.length - shown.length;
  const hasMore = page.hasMore || left > 0;
  const truncated = left > 0 || shown.some(({ cut }) => cut);
  const hint =
    left > 0
      ? `${left} ${name} of this page did not fit. Continue with next_offset. ${hints.left}`
      : hints.cut;
  return {
    [name]: shown.map(({ lead }) => lead),
    count: shown.length,
    has_more: hasMore,
    ...(hasMore ? { next_offset: offset + shown.length } : {}),
    ...totalOf(page),
    truncated,
    ...(truncated ? { hint } : {}),
    untrusted_content: [name],
  };
}

function totalOf({ total, totalRelation }: Page): object {
  return typeof total === "number" ? { total, total_relation: totalRelation ?? "eq" } : {};
}
