import { notFound, Refusal } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { personOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import { type Approval, readApproval } from "./approval.ts";
import { type ApprovalRef, approvalOf } from "./approval-link.ts";
import { type Preview, previewMark } from "./preview.ts";
import { rehearseWork } from "./rehearse-work.ts";

/** A proposal as its person sees it. */
export interface OpenedApproval extends Omit<Approval, "input" | "scopes"> {
  projectId: string;
  /** What a bulk change does, such as `delete`. */
  op: string | undefined;
  /** The labels of the project's custom fields, by key. */
  labels: Readonly<Record<string, string>>;
  /** What it would do now, while it waits; or why it cannot be done. */
  preview: (Preview & { mark: string }) | undefined;
  refusal: Refusal | undefined;
}

/** The most records that a page shows. */
const SHOWN = 50;

const LABELS = "SELECT key, label FROM custom_field WHERE project_id = $1";

const MEMBER = "SELECT FROM membership WHERE project_id = $1 AND person_id = $2";

/** Returns the project's database and the proposal of a link, if this person has to decide it; 404 for everybody else. */
export async function ownApproval(
  service: Service,
  personId: string,
  signed: string,
): Promise<{ ref: ApprovalRef; db: ProjectDb; approval: Approval }> {
  const ref = approvalOf(service, signed);
  if (ref === undefined) throw notFound("approval");
  const { projectId } = ref;
  const db = service.db.behind(serviceDoor(projectId), { lane: "long", owner: projectId });
  const approval = await readApproval(db, ref);
  if (approval?.personId !== personId) throw notFound("approval");
  if ((await db.query(MEMBER, [projectId, personId])).length === 0) throw notFound("approval");
  return { ref, db, approval };
}

/** Returns what a waiting proposal would do now, as its person may see it. */
export async function previewNow(
  service: Service,
  { ref, db, approval }: Awaited<ReturnType<typeof ownApproval>>,
): Promise<Preview & { mark: string }> {
  const { projectId, id } = ref;
  const { personId } = approval;
  const reader = { kind: "person", projectId, personId } as const;
  const preview = await rehearseWork(service, db, { ...approval, id, projectId }, { reader, most: SHOWN });
  return { ...preview, mark: previewMark(preview) };
}

/** Opens the page of a link: the proposal, and what it would do now. Nothing is changed. */
export const openApproval = personOperation({
  name: "approvals.open",
  async run({ service, caller }, { signed }: { signed: string }): Promise<OpenedApproval> {
    const own = await ownApproval(service, caller.person.id, signed);
    const { input, scopes: _, ...approval } = own.approval;
    const { projectId } = own.ref;
    const fields = await own.db.query<{ key: string; label: string }>(LABELS, [projectId]);
    const labels = Object.fromEntries(fields.map(({ key, label }) => [key, label]));
    const { op } = (input ?? {}) as { op?: string };
    const opened = { ...approval, projectId, op, labels };
    if (approval.state !== "waiting") return { ...opened, preview: undefined, refusal: undefined };
    try {
      return { ...opened, preview: await previewNow(service, own), refusal: undefined };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === "unavailable") throw error;
      return { ...opened, preview: undefined, refusal: error };
    }
  },
});
