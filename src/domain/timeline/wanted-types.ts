/** Returns whether an event's type is among types that were read; `email.*` stands for all that start with `email.`. */
export function typeTest(types: readonly string[] | undefined): (type: string) => boolean {
  if (types === undefined) return () => true;
  const whole = new Set(types.filter((type) => !type.endsWith(".*")));
  const stems = types.filter((type) => type.endsWith(".*")).map((type) => type.slice(0, -1));
  return (type) => whole.has(type) || stems.some((stem) => type.startsWith(stem));
}
