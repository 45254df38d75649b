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
const BEST: { field: "relevance" }[] = [{ field: "relevance" }];
/** What a lead may be called by, and what tells two of the same name apart. */
const FIELDS: FieldName[] = [
  ...(["display_name", "company", "email", "phone", "phone_e164"] as const),
  "external_id",
];

/** The project's leads that match what is typed, once the person pauses; each new search cancels the one before. */
export function useFoundLeads(typed: string): {
  leads: readonly LeadPart[];
  /** Nothing has the words; these leads have words that differ in a letter. */
  areSimilar: boolean;
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
      const body = { search, sort: BEST, limit: MOST, fields: FIELDS };
      return await call("POST", "/v1/leads/search", { body, signal });
    },
    staleTime: 30_000,
    retry: false,
    enabled: mayRead && isLong && search === text,
  });
  if (!mayRead || !isLong) return { leads: [], areSimilar: false, isSearching: false, failed: false };
  // what was found for an earlier text is not shown for this one: Enter would open it
  const isCurrent = search === text;
  const failed = isCurrent && error !== null;
  const { leads = [], similar = false } = (isCurrent && data) || {};
  return { leads, areSimilar: similar, isSearching: !isCurrent || (data === undefined && !failed), failed };
}
