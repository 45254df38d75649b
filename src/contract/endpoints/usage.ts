import { Usage } from "../nouns/usage.ts";
import { endpoint, json } from "./shared/endpoint.ts";

export const getUsage = endpoint({
  id: "usage.get",
  method: "GET",
  url: "/api/v1/usage",
  tag: "usage",
  summary: "Read limits and usage",
  description:
    "Returns what the project stores and its rate limits. Counts stop at 1,000,000 (relation gte). A limit allows so many " +
    "requests in so many seconds, with bursts, per key, application and person; null is unlimited. api_keys and " +
    "applications are null for keys: owners and admins see them in the panel. datasets and dataset_rows are null " +
    "without datasets:read.",
  refusals: "v1",
  needs: "leads:read",
  answers: { 200: json(Usage, "The limits and the numbers.") },
});
