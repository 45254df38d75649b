/** The members of the planted project. Marina is the manager whose assistant is evaluated. */
export const MEMBERS = {
  marina: { name: "Marina Duarte", role: "owner" },
  vera: { name: "Vera Lemos", role: "editor" },
  caio: { name: "Caio Prado", role: "editor" },
  iara: { name: "Iara Nunes", role: "editor" },
} as const;
export type MemberName = keyof typeof MEMBERS;

export const STATUSES = ["Novo", "Em contato", "Qualificado", "Proposta", "Ganho", "Perdido"] as const;
export type Status = (typeof STATUSES)[number];

/** Statuses of leads that may still buy. */
export const OPEN: readonly Status[] = ["Novo", "Em contato", "Qualificado", "Proposta"];

/** An event that is recorded for a planted lead. */
export interface PlantedEvent {
  type: string;
  at: Date;
  data?: Record<string, unknown>;
}

/** A lead as it is planted; `key` names it in code, its id is known after planting. */
export interface PlantedLead {
  key: string;
  name: string;
  email: string;
  phone?: string;
  company: string;
  city: string;
  status: Status;
  value: number;
  owner: MemberName | null;
  source: string;
  tags: string[];
  createdAt: Date;
  plan?: string;
  employees?: number;
  events: PlantedEvent[];
}

/** A row of the planted dataset of visits, linked to leads by e-mail. */
export interface PlantedVisit {
  visit_no: string;
  email: string;
  visited_on: string;
  minutes: number;
  seller: string;
  place: string;
}

/** Everything that is planted before people change it. */
export interface Story {
  now: Date;
  leads: PlantedLead[];
  visits: PlantedVisit[];
}

/** Returns the planted lead with this key. */
export function leadOf(story: Story, key: string): PlantedLead {
  const lead = story.leads.find((each) => each.key === key);
  if (lead === undefined) throw new Error(`no lead is planted as ${key}`);
  return lead;
}
