import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../db/pool/database.ts";
import { holdSession } from "../accounts/sessions/hold-session.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation, type SignedIn, type TokenCaller } from "../operation/callers.ts";
import { perform } from "../operation/operation.ts";
import type { Service } from "../operation/service/service.ts";
import { APPROVABLE, type Approvable } from "./approvable.ts";
import type { Approval } from "./approval.ts";
import type { ApprovalRef } from "./approval-link.ts";
import { ownApproval, previewNow } from "./open-approval.ts";
import { issueCredential, type Work } from "./work.ts";

/** Of two decisions at once, one gets the row. */
const TAKE = `UPDATE approval SET state = $4, decided_at = moment(), request_id = $5,
    input = CASE WHEN $4 = 'declined' THEN NULL ELSE input END
  WHERE project_id = $1 AND id = $2 AND person_id = $3 AND state = 'waiting' AND expires_at > moment() RETURNING id`;

/** A run that was given up as interrupted, and ended all the same, has the last word. */
const FINISH = `UPDATE approval SET state = $4, change_id = $5, outcome = $6::jsonb, input = NULL
  WHERE project_id = $1 AND id = $2 AND request_id = $3 AND state IN ('running', 'failed')`;

const MADE = "SELECT id FROM change WHERE project_id = $1 AND id = ANY ($2::text[])";

/** How a decision ended: it was taken; somebody had decided before, or it had expired; or the diff is another one now. */
export type Decided = "decided" | "over" | "changed";

/** Declines a proposal. */
export const declineApproval = personOperation({
  name: "approvals.decline",
  async run({ service, caller }, { signed }: { signed: string }): Promise<Decided> {
    const own = await ownApproval(service, caller.person.id, signed);
    const taken = await own.db.transaction((tx) =>
      take(service, tx, caller, { ...own, state: "declined", requestId: requestOf(service) }),
    );
    return taken ? "decided" : "over";
  },
});

/**
 * Approves a proposal and does it as the application would: with a credential of its authorization, through the same
 * operation. `mark` is that of the preview which the person saw; if the work would do something else now, nothing is
 * done. Whatever is refused is kept as the proposal's outcome.
 */
export const approveApproval = personOperation({
  name: "approvals.approve",
  async run({ service, caller }, { signed, mark }: { signed: string; mark: string }): Promise<Decided> {
    const own = await ownApproval(service, caller.person.id, signed);
    const { ref, db, approval } = own;
    if (approval.state !== "waiting") return "over";
    const found = await previewNow(service, own).catch((error: unknown) => {
      if (error instanceof Refusal && error.kind !== "unavailable") return error;
      throw error;
    });
    if (!(found instanceof Refusal) && found.mark !== mark) return "changed";
    const requestId = requestOf(service);
    const work = { ...approval, ...ref };
    const credential = await db.transaction(async (tx) => {
      if (!(await take(service, tx, caller, { ref, approval, state: "running", requestId })))
        return undefined;
      return found instanceof Refusal ? found : await issueCredential(tx, work);
    });
    if (credential === undefined) return "over";
    const ended =
      credential instanceof Refusal
        ? refused(credential)
        : await doWork(service, db, work, credential, requestId);
    await finish(service, db, ref, requestId, ended);
    return "decided";
  },
});

const requestOf = ({ origin }: Service): string => origin?.requestId ?? newId("req");

async function take(
  service: Service,
  tx: Transaction,
  caller: SignedIn,
  what: { ref: ApprovalRef; approval: Approval; state: "running" | "declined"; requestId: string },
): Promise<boolean> {
  const { ref, approval, state, requestId } = what;
  const { projectId, id } = ref;
  const personId = caller.person.id;
  await holdSession(tx, caller);
  const taken = await tx.query(TAKE, [projectId, id, personId, state, requestId]);
  if (taken.length === 0) return false;
  const { authorizationId, clientName, operation } = approval;
  await record(service, tx, {
    action: state === "declined" ? "approval.declined" : "approval.approved",
    ...{ projectId, personId, actor: personId },
    data: { approval_id: id, authorization_id: authorizationId, client_name: clientName, operation },
  });
  return true;
}

/** What came out of an approved work. */
interface Ended {
  state: "done" | "failed";
  changeId: string | null;
  outcome: object;
}

const refused = ({ code, message }: Refusal): Ended => ({
  ...{ state: "failed", changeId: null },
  outcome: { code, message },
});

async function doWork(
  service: Service,
  db: ProjectDb,
  work: Work,
  credential: TokenCaller,
  requestId: string,
): Promise<Ended> {
  const approvable: Approvable = APPROVABLE[work.operation];
  const changes: { id: string; made: boolean }[] = [];
  // Without hits: the person's click was counted already.
  const origin = { address: service.origin?.address ?? "", requestId, changes, refusesUnknown: true };
  try {
    const output = await perform({ ...service, origin }, approvable.operation, credential, work.input);
    const changeId = changes.find(({ made }) => made)?.id ?? null;
    return { state: "done", changeId, outcome: approvable.outcome(output) };
  } catch (error) {
    if (error instanceof Refusal && error.kind !== "unavailable") return refused(error);
    service.log.error({ err: error }, "an approved change failed");
    // The answer may have been lost behind the commit.
    const ids = changes.map(({ id }) => id);
    const [made] = await db.query<{ id: string }>(MADE, [work.projectId, ids]);
    if (made !== undefined) return { state: "done", changeId: made.id, outcome: {} };
    const message = "Something went wrong on our side, and nothing was changed.";
    return { state: "failed", changeId: null, outcome: { code: "internal", message } };
  }
}

async function finish(
  service: Service,
  db: ProjectDb,
  { projectId, id }: ApprovalRef,
  requestId: string,
  { state, changeId, outcome }: Ended,
): Promise<void> {
  const values = [projectId, id, requestId, state, changeId, JSON.stringify(outcome)];
  await db.query(FINISH, values).catch((error: unknown) => {
    // It is settled later, by the change that it made.
    service.log.warn({ err: error }, "the outcome of an approved change was not recorded yet");
  });
}
