import { outside } from "../tools/shared/outside-text.ts";
import { ANSWER_BYTES, fitRecord } from "../tools/shared/size.ts";

/** Maximum bytes of a prompt's data; the rest of the answer is its text. */
export const DATA_BYTES = ANSWER_BYTES - 2_000;

const LEFT_OUT = "What was omitted because of its size can be read with this server's tools and resources.";

/**
 * Returns data as JSON of at most 60 KB between delimiters that no string in it can close. Larger data has
 * its long strings cut and its largest members left out, which the block mentions.
 */
export function dataBlock(data: object): string {
  const all = outside(data) as Record<string, unknown>;
  // Data that fits as plain JSON may not fit once escaped.
  for (let most = DATA_BYTES; ; most /= 2) {
    const { record, cut, omitted } = fitRecord(all, most);
    const left = omitted.length === 0 ? {} : { omitted_fields: omitted, hint: LEFT_OUT };
    const shown = cut ? { ...record, truncated: true, ...left } : record;
    if (writtenBytes(shown) <= DATA_BYTES) return `<leadgate_data>\n${written(shown)}\n</leadgate_data>`;
  }
}

/** Returns the size of data in a prompt, in bytes. */
export const writtenBytes = (data: object): number => Buffer.byteLength(written(data));

/** Returns JSON in which no delimiter can be closed: `<` is written as \u003c. */
const written = (data: object): string => JSON.stringify(data).replaceAll("<", "\\u003c");
