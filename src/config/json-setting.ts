/** Returns the members of a setting in JSON; throws an error that names the setting if it is no object or has another key. */
export function membersOf(
  setting: string,
  given: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Error(`${setting} is ${JSON.stringify(given)}; it must be an object.`);
  }
  const foreign = Object.keys(given).find((key) => !known.includes(key));
  if (foreign !== undefined) {
    throw new Error(`${setting} has the unknown key "${foreign}"; the known keys are ${known.join(", ")}.`);
  }
  return given as Record<string, unknown>;
}
