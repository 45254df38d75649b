import { Type } from "typebox";
import { seal, unseal } from "../../core/secret.ts";
import { bad } from "../values/bad-input.ts";
import type { Service } from "./service/service.ts";

/**
 * What a cursor belongs to: project, endpoint, and whatever decides which rows come and in which order. A
 * cursor opens with the same words only, so that one of another filter or project is no cursor at all.
 */
export type CursorBinding = readonly [project: string, endpoint: string, ...rest: unknown[]];

const purposeOf = (binding: CursorBinding): string => `cursor ${JSON.stringify(binding)}`;

/** Which page is wanted, as inputs have it. */
export const Cursor = Type.Optional(
  Type.String({ maxLength: 10_000, description: "next_cursor of the previous page." }),
);

/** Writes where a page ended, as text that only we can read (AES-GCM). */
export const writeCursor = ({ config }: Service, binding: CursorBinding, position: unknown): string =>
  seal(config.secretKeys, purposeOf(binding), JSON.stringify(position));

/** Where a cursor points; 400 for a tampered one and for one that was made for something else. */
export function readCursor<Position>({ config }: Service, binding: CursorBinding, cursor: string): Position {
  const text = unseal(config.secretKeys, purposeOf(binding), cursor);
  if (text === undefined) {
    bad(
      "$.cursor",
      "bad_cursor",
      "does not belong to this query; repeat the same query, or start without a cursor",
    );
  }
  return JSON.parse(text) as Position;
}
