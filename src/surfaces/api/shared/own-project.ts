import { malformed, Refusal } from "../../../core/refusal.ts";
import type { Credential } from "../../../domain/tenancy/credential.ts";

/** Checks a body's `project_id` against the key's project and takes it off: operations never see it. */
export function ownProject(body: unknown, caller: Credential): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw malformed([{ path: "$", code: "type", message: "must be a JSON object" }]);
  }
  const { project_id: projectId, ...input } = body as Record<string, unknown>;
  if (projectId === undefined) {
    throw malformed([{ path: "$.project_id", code: "required", message: "is required" }]);
  }
  if (typeof projectId !== "string") {
    throw malformed([{ path: "$.project_id", code: "type", message: "must be a text" }]);
  }
  if (projectId !== caller.projectId) {
    throw new Refusal("forbidden", "foreign_project", "This API key does not reach that project.");
  }
  return input;
}
