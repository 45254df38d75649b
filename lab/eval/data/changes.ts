import type { Clock } from "./clock.ts";
import * as people from "./people.ts";
import type { Person } from "./person.ts";
import { leadOf, type MemberName, type PlantedLead, type Story } from "./planted.ts";

interface Afterwards {
  people: Record<MemberName, Person>;
  members: Record<MemberName, { id: string }>;
  leads: Readonly<Record<string, string>>;
  clock: Clock;
  /** Does work as if it were that time. */
  when(at: Date, work: () => Promise<void>): Promise<void>;
}

const keysOf = (group: string, names: readonly string[]): string[] => names.map((_, n) => `${group}-${n}`);

const PORTO = keysOf("porto", people.PORTO_AZUL);
const CORRECTED = keysOf("corrected", people.CORRECTED);
const TAKEN = keysOf("taken", people.TAKEN_OVER);
export const DELETED_KEYS: readonly string[] = keysOf("deleted", people.DELETED);

const correctPhone = (n: number): string => `(21) 98044-300${n + 1}`;

/** What the members do after the import, each with their own session, at different times. */
export async function changeAfterwards({ people, members, leads, clock, when }: Afterwards): Promise<void> {
  const items = (keys: readonly string[]) => keys.map((key) => ({ id: leads[key] }));
  await when(clock.at(12, "10:30"), async () => {
    const path = `/leads/${leads["julia-brandt"]}/merge`;
    await people.caio.call("POST", path, { with: leads["julia-brandao"] });
  });
  await when(clock.at(10, "11:20"), async () => {
    for (const [n, key] of CORRECTED.entries())
      await people.vera.call("PATCH", `/leads/${leads[key]}`, { phone: correctPhone(n) });
  });
  await when(clock.at(2, "16:05"), async () => {
    await people.marina.call("POST", "/leads/bulk", { op: "delete", items: items(DELETED_KEYS) });
  });
  await when(clock.at(1, "15:10"), async () => {
    const set = { status: "Em contato" };
    await people.vera.call("POST", "/leads/bulk", { op: "set", set, items: items(PORTO) });
  });
  await when(clock.at(1, "17:30"), async () => {
    const set = { owner_id: members.caio.id };
    await people.caio.call("POST", "/leads/bulk", { op: "set", set, items: items(TAKEN) });
  });
}

/** Returns the leads as they are after these changes, without deleted and merged ones. */
export function leadsAfter(story: Story): PlantedLead[] {
  const gone = new Set([...DELETED_KEYS, "julia-brandao"]);
  const changed = new Map<string, Partial<PlantedLead>>([
    ...PORTO.map((key) => [key, { status: "Em contato" as const }] as const),
    ...CORRECTED.map((key, n) => [key, { phone: correctPhone(n) }] as const),
    ...TAKEN.map((key) => [key, { owner: "caio" as const }] as const),
  ]);
  const other = leadOf(story, "julia-brandao");
  return story.leads
    .filter(({ key }) => !gone.has(key))
    .map((lead) => ({ ...lead, ...changed.get(lead.key) }))
    .map((lead) =>
      lead.key === "julia-brandt" ? { ...lead, events: [...lead.events, ...other.events] } : lead,
    );
}
