import { permissionsOfGrant, type Role, type Scope, type Writes } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { holdSession } from "../accounts/sessions/hold-session.ts";
import type { Client } from "../clients/client.ts";
import { isLoopback, placeOfRedirect, splitRedirectUri } from "../clients/redirect-uri.ts";
import { record } from "../operation/audit/record.ts";
import { type Context, personOperation, type SignedIn } from "../operation/callers.ts";
import { behind } from "../operation/mail/mail.ts";
import { tell } from "../operation/mail/notices.ts";
import { plainName } from "../operation/mail/plain-name.ts";
import { listAuthorizations } from "./list-authorizations.ts";
import { newCode } from "./token-text.ts";

/** A person's approval: the requested scopes, and those that the person left selected. */
interface Approval {
  projectId: string;
  client: Client;
  redirectUri: string;
  challenge: string;
  asked: readonly Scope[];
  ticked: readonly Scope[];
  writes: Writes;
}

/** The scopes among these that a role can grant: a viewer cannot grant write access. */
export const grantable = (scopes: readonly Scope[], role: Role): Scope[] =>
  scopes.filter((scope) => permissionsOfGrant([scope], role).length > 0);

// Nothing is locked: if the setting or the membership changes meanwhile, the exchange refuses the code.
const MEMBER = `SELECT m.role, m.role = ANY (p.connect_roles) AS "mayConnect"
  FROM membership m JOIN project p ON p.project_id = m.project_id
  WHERE m.person_id = $1 AND m.project_id = $2 AND p.project_id = $2`;

const INSERT = `INSERT INTO authorization_code
    (project_id, hash, client_id, person_id, redirect_uri, scopes, challenge, expires_at, writes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, moment() + make_interval(secs => $8), $9) RETURNING issued_at AS at`;

// A scope that was declined stays so until it is asked for again: leaving it out of one request does not undo that.
// So does what was chosen for writing.
const REMEMBER = `INSERT INTO consent_choice (person_id, client_id, project_id, declined, writes) VALUES ($1, $2, $3, $4, $6)
  ON CONFLICT (person_id, client_id) DO UPDATE
    SET project_id = excluded.project_id, chosen_at = excluded.chosen_at,
      writes = CASE WHEN 'mcp:write' = ANY ($5::text[]) AND 'mcp:write' <> ALL (excluded.declined)
        THEN excluded.writes ELSE consent_choice.writes END,
      declined = excluded.declined || $7::text[]`;

// A concurrent approval of the same application waits until this one is committed.
const ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('approval ' || $1 || ' ' || $2, 0))";

const CHOSEN = `SELECT declined, chosen_at > moment() - make_interval(secs => $3) AS lately FROM consent_choice
  WHERE person_id = $1 AND client_id = $2`;

/**
 * Issues the code of an approval (OAuth 2.1 4.1.2), with the scopes that the person's current role can grant.
 * Returns `not_a_member` for a project that is not theirs, `may_not_connect` if the project does not let their role
 * connect applications, and `nothing` if no scope is left.
 */
export const issueCode = personOperation({
  name: "grants.approve",
  async run(
    context,
    approval: Approval,
  ): Promise<{ code: string } | "not_a_member" | "may_not_connect" | "nothing"> {
    const { service, db } = context;
    const personId = context.caller.person.id;
    const { projectId, client, asked } = approval;
    const outcome = await db.behind(serviceDoor(projectId)).transaction(async (tx) => {
      await holdSession(tx, context.caller);
      const [member] = await tx.query<{ role: Role; mayConnect: boolean }>(MEMBER, [personId, projectId]);
      if (member === undefined) return "not_a_member";
      if (!member.mayConnect) return "may_not_connect";
      const { role } = member;
      const scopes = grantable(approval.ticked, role);
      if (scopes.length === 0) return "nothing";
      await tx.query(ONE_AT_A_TIME, [personId, client.id]);
      const { text, hash } = newCode(projectId);
      const { redirectUri, challenge, writes } = approval;
      const seconds = service.config.lifetimes.code;
      const code = [projectId, hash, client.id, personId, redirectUri, scopes, challenge, seconds, writes];
      const [issued] = await tx.query<{ at: Date }>(INSERT, code);
      const kept = await tx.query("UPDATE client SET authorized_at = moment() WHERE id = $1 RETURNING id", [
        client.id,
      ]);
      if (kept.length === 0) throw forgotten();
      const before = [personId, client.id, seconds];
      const [chosen] = await tx.query<{ declined: Scope[]; lately: boolean }>(CHOSEN, before);
      const decided = grantable(asked, role);
      const declined = decided.filter((scope) => !scopes.includes(scope));
      const still = chosen?.declined.filter((scope) => !decided.includes(scope)) ?? [];
      await tx.query(REMEMBER, [personId, client.id, projectId, declined, decided, writes, still]);
      await record(service, tx, {
        action: "authorization.approved",
        projectId,
        personId,
        actor: personId,
        data: {
          ...{ client_id: client.id, client_name: client.metadata.client_name, scopes },
          ...(scopes.includes("mcp:write") ? { writes } : {}),
        },
      });
      return { code: text, issued, lately: chosen?.lately === true, scopes };
    });
    if (typeof outcome === "string") return outcome;
    if (!outcome.lately && outcome.issued !== undefined)
      announce(context, approval, outcome.scopes, outcome.issued.at);
    return { code: outcome.code };
  },
});

/** The refusal if the sweep deleted the application between the page and the person's answer. */
const forgotten = (): Refusal =>
  new Refusal(
    "malformed",
    "client_unknown",
    "This application is not registered here. It has to register again.",
  );

/** Notifies the person after the response, if the application has no other active authorization of theirs. */
function announce(
  context: Context<SignedIn, Database>,
  { client, projectId, redirectUri }: Approval,
  scopes: readonly Scope[],
  now: Date,
): void {
  const { service, db, caller } = context;
  behind(service, async () => {
    const living = await listAuthorizations.run(context, {});
    // the new authorization may already be among them, since codes are exchanged quickly
    if (living.some(({ clientId, createdAt }) => clientId === client.id && createdAt < now)) return;
    const [project] = await db
      .behind(serviceDoor(projectId))
      .query<{ name: string }>("SELECT name FROM project WHERE project_id = $1", [projectId]);
    tell(service, caller.person.id, {
      kind: "application_connected",
      clientName: client.metadata.client_name,
      projectName: project?.name ?? "",
      scopes,
      place: noticePlace(redirectUri),
    });
  });
}

/** The longest host that a mail shows; of a longer one it shows the end, which says whose it is. */
const LONGEST_HOST = 100;

/** Where a redirect leads, for a mail: a host, or a program on the person's device. */
function noticePlace(redirectUri: string): { host: string } | { program: string } {
  const place = placeOfRedirect(redirectUri);
  if (isLoopback(redirectUri)) return { program: place };
  const scheme = splitRedirectUri(redirectUri)?.scheme ?? "";
  if (scheme !== "https") return { program: plainName(scheme) };
  return { host: place.length > LONGEST_HOST ? `…${place.slice(-LONGEST_HOST)}` : place };
}
