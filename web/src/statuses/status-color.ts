const COLORS = ["blue", "cyan", "violet", "yellow", "orange", "indigo", "pink", "grape", "lime", "teal"];

/** Names that mean an end in most projects: won is green, lost is gray. */
const ENDS: Readonly<Record<string, string>> = {
  won: "pine",
  ganho: "pine",
  ganha: "pine",
  lost: "gray",
  perdido: "gray",
  perdida: "gray",
};

/**
 * Returns the color of a status (a Mantine color name) by its name or its position in the project's list;
 * gray if it is not listed.
 */
export function statusColor(statuses: readonly string[], status: string): string {
  const place = statuses.indexOf(status);
  const name = status.toLowerCase();
  const end = Object.hasOwn(ENDS, name) ? ENDS[name] : undefined;
  return place < 0 ? "gray" : (end ?? COLORS[place % COLORS.length] ?? "gray");
}
