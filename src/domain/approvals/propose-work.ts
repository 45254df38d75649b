import { Type } from "typebox";
import { newId } from "../../core/id.ts";
import type { Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { bad, cleanText } from "../values/bad-input.ts";
import { APPROVABLE_NAMES } from "./approvable.ts";
import { settleApprovals, WAITS } from "./approval.ts";
import { approvalLink } from "./approval-link.ts";
import type { Preview } from "./preview.ts";
import { rehearseWork } from "./rehearse-work.ts";
import { tokenOnly } from "./token-only.ts";
import type { Work } from "./work.ts";

/** A proposal that waits for the person. */
export interface Proposal {
  id: string;
  /** Where the person who connected the application sees what would change, and decides. */
  url: string;
  state: "waiting";
  /** ISO 8601. */
  expires_at: string;
  preview: Preview;
}

/** The most proposals of one application that wait at once. */
const MOST = 20;
/** The most records of an answer's preview. */
const SHOWN = 20;
/** The longest input, in characters of JSON. */
const LONGEST = 1_000_000;

const OWN = `SELECT t.authorization_id AS "authorizationId", a.person_id AS "personId", t.scopes
  FROM access_token t JOIN "authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
  WHERE t.project_id = $1 AND t.hash = $2`;

const ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('proposals of ' || $1, 0))";

const DIGEST = `sha256(convert_to($3 || ' ' || ($4::jsonb)::text, 'UTF8'))`;

const SAME = `SELECT id, expires_at AS "expiresAt" FROM approval
  WHERE project_id = $1 AND authorization_id = $2 AND state = 'waiting' AND digest = ${DIGEST}`;

const WAITING = `SELECT count(*) AS count, ceil(extract(epoch FROM min(expires_at) - moment()))::integer AS wait
  FROM approval WHERE project_id = $1 AND authorization_id = $2 AND state = 'waiting'`;

const INSERT = `INSERT INTO approval (project_id, authorization_id, operation, input, digest, id, person_id, scopes, title, expires_at)
  VALUES ($1, $2, $3, $4::jsonb, ${DIGEST}, $5, $6, $7, $8, moment() + make_interval(secs => ${WAITS}))
  RETURNING id, expires_at AS "expiresAt"`;

interface Owner {
  authorizationId: string;
  personId: string;
  scopes: Scope[];
}

/**
 * Proposes work that the person who connected the application has to approve; returns the link for them, and what it would
 * do. Refuses what the work would be refused with. Work that waits already is not stored again.
 */
export const proposeWork = memberOperation({
  name: "approvals.propose",
  needs: "leads:write",
  orNeeds: "datasets:write",
  changes: false,
  input: Type.Object(
    {
      operation: Type.Enum([...APPROVABLE_NAMES]),
      input: Type.Unknown({ description: "The input of that operation." }),
      title: Type.String({ description: "What it is for, as the person reads it." }),
    },
    { additionalProperties: false },
  ),
  async run(context, { operation, input, title: given }): Promise<Proposal> {
    const { service, db } = context;
    const caller = await tokenOnly(context);
    const { projectId } = caller;
    const title = await checked(context, () => readTitle(given));
    const json = await checked(context, () => readInput(input));
    const [owner] = await db.query<Owner>(OWN, [projectId, caller.hash]);
    if (owner === undefined) throw new Error("a token passed its door and has no row behind it");
    const id = newId("apr");
    const work = { id, projectId, operation, input, ...owner };
    const preview = await rehearseWork(service, db, work, { most: SHOWN });
    const stored = await db.transaction((tx) => store(tx, { ...work, json, title }));
    const url = approvalLink(service, { projectId, id: stored.id });
    return { id: stored.id, url, state: "waiting", expires_at: stored.expiresAt.toISOString(), preview };
  },
});

async function store(
  tx: Transaction,
  work: Work & Owner & { json: string; title: string },
): Promise<{ id: string; expiresAt: Date }> {
  const { projectId, authorizationId, operation, json, id, personId, scopes, title } = work;
  await tx.query(ONE_AT_A_TIME, [authorizationId]);
  await settleApprovals(tx, projectId);
  const asked = [projectId, authorizationId, operation, json];
  const [same] = await tx.query<{ id: string; expiresAt: Date }>(SAME, asked);
  if (same !== undefined) return same;
  const [waiting] = await tx.query<{ count: number; wait: number }>(WAITING, [projectId, authorizationId]);
  if (waiting !== undefined && waiting.count >= MOST) throw tooMany(waiting.wait);
  const [made] = await tx.query<{ id: string; expiresAt: Date }>(INSERT, [
    ...asked,
    ...[id, personId, scopes, title],
  ]);
  if (made === undefined) throw new Error("a proposal was not stored");
  return made;
}

const tooMany = (wait: number): Refusal =>
  new Refusal(
    "too_many",
    "too_many_approvals",
    `${MOST} changes of this application wait for the user already. Ask the user to decide about them first.`,
    { retryAfter: Math.max(1, wait) },
  );

/** Returns the title in one line, without characters that nobody sees. */
function readTitle(given: string): string {
  const text = cleanText(given, "$.title")
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .replace(/[\p{C}\p{DI}]/gu, "")
    .trim();
  if (text === "" || text.length > 200) bad("$.title", "length", "must have 1 to 200 characters");
  return text;
}

/** Returns the input as JSON that PostgreSQL can store. */
function readInput(input: unknown): string {
  const json = JSON.stringify(input, (key, value: unknown) => {
    cleanText(key, "$.input", LONGEST);
    return typeof value === "string" ? cleanText(value, "$.input", LONGEST) : value;
  });
  if (json === undefined || json.length > LONGEST) bad("$.input", "too_large", "is too large");
  return json;
}
