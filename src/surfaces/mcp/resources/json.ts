import { Refusal } from "../../../core/refusal.ts";
import type { ResourceText } from "../protocol/registry.ts";
import { outside } from "../tools/shared/outside-text.ts";
import { ANSWER_BYTES, fitList, fitRecord, RECORD_BYTES } from "../tools/shared/size.ts";

export const JSON_TYPE = "application/json";

/** Room for what surrounds a list. */
const FRAME_BYTES = 2_000;

type Fields = Record<string, unknown>;

/** Returns a resource's content as JSON text, without hidden characters and empty members. */
export const asJson = (value: object): ResourceText => ({ text: JSON.stringify(outside(value)) });

/** Returns one record as a resource of at most 60 KB; members that were left out are named. */
export function recordJson(name: string, record: unknown, more: object = {}): ResourceText {
  const fitted = fitRecord(outside(record) as Fields, ANSWER_BYTES - FRAME_BYTES);
  const omitted = fitted.omitted.length === 0 ? {} : { omitted_fields: fitted.omitted };
  return asJson({
    [name]: fitted.record,
    ...more,
    truncated: fitted.cut,
    ...omitted,
    untrusted_content: [name],
  });
}

/**
 * Returns the first records that fit into one resource next to its other content, each of at most 20 KB;
 * `left` is how many did not fit, `cut` whether long strings were cut.
 */
export function fitting(
  records: readonly unknown[],
  beside: object = {},
): { shown: Fields[]; left: number; cut: boolean } {
  const all = records.map((record) => fitRecord(outside(record) as Fields, RECORD_BYTES));
  const room = ANSWER_BYTES - FRAME_BYTES - Buffer.byteLength(JSON.stringify(beside));
  const shown = fitList(all, Math.max(room, RECORD_BYTES + FRAME_BYTES));
  return {
    shown: shown.map(({ record }) => record),
    left: all.length - shown.length,
    cut: shown.some(({ cut }) => cut),
  };
}

/** Returns the outcome; undefined if there is no such thing in this project. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "not_found") return undefined;
    throw error;
  }
}
