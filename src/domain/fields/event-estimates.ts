/** About how many leads a project has, and how many events each event condition, by its path, is about. */
export interface EventEstimates {
  leads: number;
  events: ReadonlyMap<string, number>;
}

export const NO_ESTIMATES: EventEstimates = { leads: 0, events: new Map() };
