import { outside } from "../tools/shared/outside-text.ts";
import { ANSWER_BYTES, fitRecord } from "../tools/shared/size.ts";

/** What the data of a prompt may take; the rest of an answer is its words. */
export const DATA_BYTES = ANSWER_BYTES - 2_000;

const LEFT_OUT = "What was omitted because of its size can be read with this server's tools and resources.";

/**
 * Data as JSON of at most 60 KB between marks that none of its texts can close. Of what is more, long texts are cut and
 * the largest members left out, which it then says.
 */
export function dataBlock(data: object): string {
  const all = outside(data) as Record<string, unknown>;
  // what fits as plain JSON need not fit as it is written here
  for (let most = DATA_BYTES; ; most /= 2) {
    const { record, cut, omitted } = fitRecord(all, most);
    const left = omitted.length === 0 ? {} : { omitted_fields: omitted, hint: LEFT_OUT };
    const shown = cut ? { ...record, truncated: true, ...left } : record;
    if (writtenBytes(shown) <= DATA_BYTES) return `<leadgate_data>\n${written(shown)}\n</leadgate_data>`;
  }
}

/** Bytes of data as they stand in a prompt. */
export const writtenBytes = (data: object): number => Buffer.byteLength(written(data));

/** JSON in which no mark can be closed: a `<` is written as \u003c. */
const written = (data: object): string => JSON.stringify(data).replaceAll("<", "\\u003c");
