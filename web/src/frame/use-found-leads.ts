import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { FieldName } from "../../../src/contract/filters/field-names.ts";
import type { LeadPart } from "../../../src/contract/leads/lead.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { useMay } from "../session/me.ts";

const MOST = 8;
/** The index of words needs three letters; a search for fewer may read every lead. */
const LEAST_TYPED = 3;
const PAUSE_MS = 150;
/** What a lead may be called by, and what tells two of the same name apart. */
const FIELDS: FieldName[] = [
  ...(["name", "first_name", "last_name", "company", "email", "phone", "phone_e164"] as const),
  "external_id",
];

/** The project's leads that match what is typed, once the person pauses; each new search cancels the one before. */
export function useFoundLeads(typed: string): {
  leads: readonly LeadPart[];
  isSearching: boolean;
  failed: boolean;
} {
  const { projectId, call } = useApi();
  const mayRead = useMay("leads:read");
  const text = typed.trim();
  const [search] = useDebouncedValue(text, PAUSE_MS);
  const isLong = text.length >= LEAST_TYPED;
  const { data, error } = useQuery({
    queryKey: keyOf(projectId, "leads", "found", search),
    queryFn: async ({ signal }) => {
      const body = { search, limit: MOST, fields: FIELDS };
      return (await call("POST", "/v1/leads/search", { body, signal })).leads;
    },
    staleTime: 30_000,
    retry: false,
    enabled: mayRead && isLong && search === text,
  });
  if (!mayRead || !isLong) return { leads: [], isSearching: false, failed: false };
  // what was found for an earlier text is not shown for this one: Enter would open it
  const isCurrent = search === text;
  const failed = isCurrent && error !== null;
  const leads = isCurrent ? (data ?? []) : [];
  return { leads, isSearching: !isCurrent || (data === undefined && !failed), failed };
}
