import { perform } from "../../../domain/operation/operation.ts";
import { describeLimits } from "../../../domain/usage/describe-limits.ts";
import type { Resource } from "../protocol/registry.ts";
import { ANSWER_BYTES } from "../tools/shared/size.ts";
import { asJson, JSON_TYPE } from "./json.ts";

export const limitsResource: Resource = {
  uri: "leads://limits",
  name: "limits",
  title: "Limits",
  description: "How often this server may be called, and how large requests and responses may be.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  async read({ service, caller }) {
    const paces = await perform(service, describeLimits, caller, {});
    const { mcp, datasetReads, datasetWrites } = paces;
    return asJson({
      calls: {
        mcp,
        dataset_reads: datasetReads,
        dataset_writes: datasetWrites,
        counted:
          "per authorization, for all of its tokens; beyond mcp, and for a resource beyond dataset_reads, HTTP 429 with " +
          "Retry-After; a tool beyond the dataset limits fails with the seconds to wait",
      },
      answers: {
        max_bytes: ANSWER_BYTES,
        beyond:
          "truncated is true; a tool's next_offset or hint, or a resource's next or hint, shows how to continue",
      },
      filters: {
        max_conditions: 100,
        max_event_conditions: 10,
        max_dataset_conditions: 5,
        max_list_values: 1_000,
      },
      message: { max_bytes: 1_048_576 },
    });
  },
};
