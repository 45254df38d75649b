import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Fault } from "../../../../src/contract/nouns/basics/problem.ts";
import type { Filter } from "../../../../src/contract/nouns/filter.ts";
import type { Lead } from "../../../../src/contract/nouns/lead.ts";
import type { LeadInput } from "../../../../src/contract/nouns/lead-input.ts";
import { ApiError } from "../../api/api-error.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { done, failed } from "../../parts/toast.ts";
import { isWhole, written } from "../../records/lead.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { CREATE_WORDS } from "./create-words.ts";

/** Creates a lead. If one with the same e-mail or phone exists, `found` has it and the person decides. */
export function useCreate(onCreated: (lead: Lead) => void) {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(CREATE_WORDS);
  const [found, setFound] = useState<readonly Lead[]>([]);
  const alike = async (draft: LeadInput): Promise<readonly Lead[]> => {
    const { email, phone } = draft;
    const or: Filter[] = [];
    if (email) or.push({ field: "email", op: "eq", value: email });
    if (phone) or.push({ field: "phone", op: "eq", value: phone });
    if (or.length === 0) return [];
    try {
      const { leads } = await call("POST", "/v1/leads/search", { body: { filter: { or }, limit: 5 } });
      return leads.filter(isWhole);
    } catch (error) {
      // an invalid e-mail or phone is reported when the lead is created
      if (error instanceof ApiError && error.status === 400) return [];
      throw error;
    }
  };
  const create = useSubmit({
    async mutationFn({ draft, into, anyway }: { draft: LeadInput; into?: Lead; anyway?: boolean }) {
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
