import type { Prompt } from "../protocol/registry.ts";
import { cleanDuplicates } from "./clean-duplicates.ts";
import { dailyBrief } from "./daily-brief.ts";
import { draftFollowUp } from "./draft-follow-up.ts";
import { pipelineReview } from "./pipeline-review.ts";
import { planImport } from "./plan-import.ts";
import { qualifyLead } from "./qualify-lead.ts";

/** The prompts, which a person can start from a menu. */
export const PROMPTS: readonly Prompt[] = [
  dailyBrief,
  qualifyLead,
  draftFollowUp,
  pipelineReview,
  cleanDuplicates,
  planImport,
];
