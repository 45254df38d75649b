/** A count; with `gte`, counting stopped there. */
export interface Count {
  count: number;
  relation: "eq" | "gte";
}

export interface UsedKey {
  id: string;
  name: string;
  permissions: string[];
  last_used_at: string | null;
}

export interface UsedApplication {
  client_id: string;
  name: string;
  scopes: string[];
  people: number;
  last_used_at: string | null;
}

/** A project's usage and limits; see GET /api/v1/usage. */
export interface Usage {
  limits: Record<string, { turns: number; seconds: number; burst: number } | null>;
  leads: Count;
  events: Count;
  datasets: number | null;
  dataset_rows: Count | null;
  fields: { count: number; most: number };
  views: number;
  members: number;
  api_keys: UsedKey[] | null;
  applications: UsedApplication[] | null;
}
