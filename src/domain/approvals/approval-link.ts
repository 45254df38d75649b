import { isId } from "../../core/id.ts";
import { seal, unseal } from "../../core/secret.ts";
import type { Service } from "../operation/service/service.ts";

const PURPOSE = "approval";

/** Which approval a link is for. */
export interface ApprovalRef {
  projectId: string;
  id: string;
}

/** Returns the URL of an approval's page. It names nothing, and opens only for the person who has to decide. */
export const approvalLink = ({ config }: Service, { projectId, id }: ApprovalRef): string =>
  `${config.authUrl}/approvals/${seal(config.secretKeys, PURPOSE, `${projectId} ${id}`)}`;

/** Returns the approval of a link; undefined for a link that we did not make. */
export function approvalOf({ config }: Service, signed: string): ApprovalRef | undefined {
  const [projectId = "", id = ""] = (unseal(config.secretKeys, PURPOSE, signed) ?? "").split(" ");
  return isId("prj", projectId) && isId("apr", id) ? { projectId, id } : undefined;
}
