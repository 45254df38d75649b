/** The keyword of a schema that is shown as another one, while arguments are checked against the whole one. */
const SHOWN = "x-shown";

/**
 * Limits that a model seldom meets: a call beyond them is refused with the path and the limit, while every listing of
 * the tools would carry them into its context.
 */
const SILENT = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "pattern"];

/** A limit above which there is none for practical purposes. */
const ENDLESS = 1_000_000;

/** Returns a schema of which lists show only `brief`. */
export const shownAs = <S extends object>(schema: S, brief: object): S => ({ ...schema, [SHOWN]: brief });

/** Returns the schema of an argument that is accepted but not listed. */
export const unlisted = <S extends object>(schema: S): S => ({ ...schema, [SHOWN]: null });

/** Returns a schema as lists show it. */
export function shownSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shownSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  if (SHOWN in schema) return schema[SHOWN];
  const isOpen = "properties" in schema && Object.keys(schema.properties ?? {}).length === 0;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, part]): [string, unknown][] => {
      if (isSilent(key, part) || (isOpen && ["properties", "additionalProperties"].includes(key))) return [];
      return [[key, key === "properties" ? shownMembers(part as object) : shownSchema(part)]];
    }),
  );
}

const shownMembers = (members: object): object =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, part]) => {
      const shown = shownSchema(part);
      return shown === null ? [] : [[name, shown]];
    }),
  );

/** Whether a keyword is left out; members of that name are schemas. */
const isSilent = (key: string, part: unknown): boolean =>
  (SILENT.includes(key) && typeof part !== "object") ||
  (key === "additionalProperties" && part === false) ||
  (key === "maximum" && Number(part) > ENDLESS);
