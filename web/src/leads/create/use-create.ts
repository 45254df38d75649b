import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Fault } from "../../../../src/contract/basics/problem.ts";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import type { Lead } from "../../../../src/contract/leads/lead.ts";
import type { LeadInput } from "../../../../src/contract/leads/lead-input.ts";
import { ApiError } from "../../api/api-error.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { useDone } from "../../changes/use-done.ts";
import { mayPass } from "../../parts/problem.tsx";
import { failed } from "../../parts/toast.ts";
import { isWhole, written } from "../../records/lead.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { CREATE_WORDS } from "./create-words.ts";

/** How long ago a lead was created that may be the one that was sent without an answer. */
const LATELY = { n: 12, unit: "hour" } as const;

/**
 * Creates a lead. If one with the same e-mail or phone exists, `found` has it and the person decides; the same if it was
 * sent before without an answer (`unsure`) and a new lead has the same name, company, e-mail and phone.
 */
export function useCreate(unsure: boolean, onCreated: (lead: Lead) => void, onUnsure: () => void) {
  const { projectId, call, write } = useApi();
  const done = useDone();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(CREATE_WORDS);
  const [found, setFound] = useState<readonly Lead[]>([]);
  const alike = async (draft: LeadInput): Promise<readonly Lead[]> => {
    const { email, phone } = draft;
    const or: Filter[] = [];
    if (email) or.push({ field: "email", op: "eq", value: email });
    if (phone) or.push({ field: "phone", op: "eq", value: phone });
    if (unsure && or.length === 0) or.push(sentBefore(draft));
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
        const { answer, change } = await write("PATCH", "/v1/leads/{id}", {
          params: { id },
          body: draft,
          ifMatch,
        });
        return { lead: written(answer), change, said: words.updated };
      }
      const others = anyway === true ? [] : await alike(draft);
      if (others.length > 0) return { others };
      const { answer, change } = await write("POST", "/v1/leads", { body: draft });
      return { lead: written(answer), change, said: words.created };
    },
    onSuccess(outcome) {
      if ("others" in outcome) return setFound(outcome.others);
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
      done(outcome.said, outcome.change);
      onCreated(outcome.lead);
    },
    onError(error) {
      if (mayPass(error)) onUnsure();
      // the form shows it, unless leads are shown in its place
      if (found.length > 0) failed(locale, error);
    },
  });
  const { error } = create;
  const details: readonly Fault[] = error instanceof ApiError ? error.details : [];
  const failure = error !== null && details.length === 0 ? error : undefined;
  return { create, found, again: () => setFound([]), details, failure };
}

/** Finds what was created lately with this name and company. */
function sentBefore(given: Pick<LeadInput, "name" | "company">): Filter {
  const and: Filter[] = [{ field: "created_at", op: "in_last", value: LATELY }];
  for (const field of ["name", "company"] as const) {
    const value = given[field]?.trim();
    and.push(value ? { field, op: "eq", value } : { field, op: "is_empty" });
  }
  return { and };
}
