import { notFound } from "../../core/refusal.ts";
import { serviceDoor } from "../../db/project-door.ts";
import type { Service } from "../service.ts";
import { revokeAuthorizations } from "./revoke-authorizations.ts";

/** Ends one of a person's own authorizations; its tokens are refused from the next request on, on every instance. */
export async function takeBack(
  service: Service,
  input: { personId: string; projectId: string; authorizationId: string },
): Promise<void> {
  const ended = await service.db
    .behind(serviceDoor(input.projectId))
    .transaction((tx) => revokeAuthorizations(tx, { ...input, actor: input.personId, why: "person" }));
  if (ended.length === 0) throw notFound("authorization");
}
