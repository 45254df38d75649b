const COLORS = ["blue", "cyan", "violet", "yellow", "orange", "indigo", "pink", "grape", "lime", "teal"];

/** Names that mean an end everywhere: what was won is green, what was lost is gray. */
const ENDS: Readonly<Record<string, string>> = {
  won: "pine",
  ganho: "pine",
  ganha: "pine",
  lost: "gray",
  perdido: "gray",
  perdida: "gray",
};

/** The colour that a status has everywhere (a name of Mantine's): by its name or its place in the project's list, gray for one not in it. */
export function statusColor(statuses: readonly string[], status: string): string {
  const place = statuses.indexOf(status);
  const name = status.toLowerCase();
  const end = Object.hasOwn(ENDS, name) ? ENDS[name] : undefined;
  return place < 0 ? "gray" : (end ?? COLORS[place % COLORS.length] ?? "gray");
}
