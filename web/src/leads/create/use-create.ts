import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Lead } from "../../../../src/contract/nouns/lead.ts";
import type { Fault } from "../../../../src/contract/nouns/basics/problem.ts";
import { ApiError } from "../../api/api-error.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { done, failed } from "../../parts/toast.ts";
import { isWhole, written } from "../../records/lead.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import type { LeadPage } from "../list/use-lead-pages.ts";
import { CREATE_WORDS } from "./create-words.ts";

/** The fields of a new lead; empty ones are left out. */
export type NewLead = Readonly<Record<string, unknown>>;

/** Creates a lead. If one with the same e-mail or phone exists, `found` has it and the person decides. */
export function useCreate(onCreated: (lead: Lead) => void) {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(CREATE_WORDS);
  const [found, setFound] = useState<readonly Lead[]>([]);
  const alike = async (draft: NewLead): Promise<readonly Lead[]> => {
    const or = (["email", "phone"] as const).flatMap((field) =>
      draft[field] === undefined ? [] : [{ field, op: "eq", value: draft[field] }],
    );
    if (or.length === 0) return [];
    const body = { filter: { or }, limit: 5 };
    const page = await call("POST", "/v1/leads/search", { body }).catch((error) => {
      // an invalid e-mail or phone is reported when the lead is created
      if (error instanceof ApiError && error.status === 400) return { leads: [] };
      throw error;
    });
    return page.leads.filter(isWhole);
  };
  const create = useMutation({
    async mutationFn({ draft, into, anyway }: { draft: NewLead; into?: Lead; anyway?: boolean }) {
      if (into !== undefined) {
        const { id, version: ifMatch } = into;
        const lead = await call("PATCH", "/v1/leads/{id}", { params: { id }, body: draft, ifMatch });
        return { lead: written(lead), said: words.updated };
      }
      const others = anyway === true ? [] : await alike(draft);
      if (others.length > 0) return { others };
      return { lead: written(await call("POST", "/v1/leads", { body: draft })), said: words.created };
    },
    onSuccess(outcome) {
      if ("others" in outcome) return setFound(outcome.others);
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
      done(outcome.said);
      onCreated(outcome.lead);
    },
    onError(error) {
      if (!(error instanceof ApiError) || error.details.length === 0) failed(locale, error);
    },
  });
  const details: readonly Fault[] = create.error instanceof ApiError ? create.error.details : [];
  return { create, found, again: () => setFound([]), details };
}
