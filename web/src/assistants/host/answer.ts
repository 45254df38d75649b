/** A JSON object of an unchecked answer. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a member that is a list; an empty one if it is not. */
export const listIn = (fields: Fields, name: string): readonly unknown[] => {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
};

export const fieldsIn = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isFields(value) ? value : {};
};

export const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const numberIn = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === "number" ? value : undefined;
};

/** What a tool answered: an object, a failure, or something that has no view. */
export type Answer =
  | { kind: "answer"; fields: Fields }
  | { kind: "failure"; why: string; candidates: string[]; requestId: string | undefined }
  | { kind: "unknown" };

/** Returns how the service names a record, without the id that comes first; empty if that is all. */
export const withoutId = (name: string): string => name.replace(/^[a-z]+_[0-9a-z]{20,}(, )?/, "");

/** Reads a tool's result (CallToolResult): its structured content, else the JSON of its first text. */
export function readAnswer(result: unknown): Answer {
  if (!isFields(result)) return { kind: "unknown" };
  const text = listIn(result, "content").flatMap((block) =>
    isFields(block) && block.type === "text" && typeof block.text === "string" ? [block.text] : [],
  )[0];
  const fields = isFields(result.structuredContent) ? result.structuredContent : parsed(text);
  if (result.isError === true) {
    const why = reasonIn(fields ?? {}) ?? text ?? "";
    const candidates = listIn(fields ?? {}, "details")
      .filter(isFields)
      .flatMap(({ code, message }) => (code === "candidate" ? [withoutId(String(message))] : []));
    return { kind: "failure", why, candidates, requestId: fields && textIn(fields, "request_id") };
  }
  return fields === undefined ? { kind: "unknown" } : { kind: "answer", fields };
}

/** Why a call failed: the tool says so, or the job that went on with its work. */
const reasonIn = (fields: Fields): string | undefined =>
  textIn(fields, "why") ?? textIn(fieldsIn(fieldsIn(fields, "job"), "error"), "message");

function parsed(text: string | undefined): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
