import { Type } from "typebox";

interface Words {
  $id?: string;
  description?: string;
  examples?: readonly string[];
}

/** Returns a plain `enum` of strings, which every generator of clients reads. */
export const oneOf = <const Value extends string>(values: readonly Value[], words: Words = {}) =>
  Type.Unsafe<Value>({ type: "string", enum: [...values], ...words });

/** Returns the same as a union of constants, as which inputs describe it. */
export const constantOf = <const Value extends string>(values: readonly Value[], words: Words = {}) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { ...words },
    ),
  );

/** How far to count a total. */
export const howFar = (description: string) =>
  Type.Optional(constantOf(["exact", "bounded", "none"], { description }));
