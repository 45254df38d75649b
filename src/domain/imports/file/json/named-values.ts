const NAMES = ["column_name", "name", "key", "field", "label", "column_id"];
const VALUES = ["values", "value", "string_value"];

/**
 * Returns the values by name of a list such as Meta's `field_data` (`[{"name": "email", "values": ["a@x.example"]}]`),
 * Google's `user_column_data` (`column_name` or `column_id`, and `string_value`) or `[{"key": "city", "value": "Porto"}]`;
 * undefined if it is not an array of objects that each have a name and a value. Several values are joined by "; ".
 */
export function namedValues(list: unknown): Map<string, string> | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const found = new Map<string, string>();
  for (const entry of list as unknown[]) {
    if (typeof entry !== "object" || entry === null) return undefined;
    const object = new Map<string, unknown>(Object.entries(entry));
    const name = NAMES.map((key) => object.get(key)).find(isName);
    const key = VALUES.find((each) => object.has(each));
    if (name === undefined || key === undefined) return undefined;
    const own = textsOf(object.get(key));
    const named = String(name).trim();
    const former = found.get(named);
    found.set(named, (former ? [former, ...own] : own).join("; "));
  }
  return found;
}

const isName = (value: unknown): value is string | number =>
  (typeof value === "string" && value.trim() !== "") || typeof value === "number";

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value === null || value === undefined || value === "") return [];
  return [typeof value === "object" ? JSON.stringify(value) : String(value)];
}
