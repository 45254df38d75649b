import { Type } from "typebox";

interface Words {
  $id?: string;
  description?: string;
  examples?: readonly string[];
}

/** Returns a plain `enum` of strings, which every generator of clients reads. */
export const oneOf = <const Value extends string>(values: readonly Value[], words: Words = {}) =>
  Type.Unsafe<Value>({ type: "string", enum: [...values], ...words });
