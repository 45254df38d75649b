import { Type } from "typebox";
import { seal, unseal } from "../../core/secret.ts";
import { bad } from "../values/bad-input.ts";
import type { Service } from "./service/service.ts";

/**
 * What a cursor is bound to: project, endpoint, and everything that decides which rows come in which order. A
 * cursor decrypts only under the same binding, so one of another filter or project is invalid.
 */
export type CursorBinding = readonly [project: string, endpoint: string, ...rest: unknown[]];

const purposeOf = (binding: CursorBinding): string => `cursor ${JSON.stringify(binding)}`;

/** The cursor of the requested page, as inputs declare it. */
export const Cursor = Type.Optional(
  Type.String({ maxLength: 10_000, description: "next_cursor of the previous page." }),
);

/** Encrypts the position of a page's last row (AES-GCM), so that only the service can read it. */
export const writeCursor = ({ config }: Service, binding: CursorBinding, position: unknown): string =>
  seal(config.secretKeys, purposeOf(binding), JSON.stringify(position));

/** Returns the position of a cursor; refuses (400) one that was altered or made for something else. */
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
