import type { IdentityName } from "../../contract/lists/identities.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { identifiersOf } from "../leads/identity/identifiers.ts";
import { everyHolder } from "../leads/identity/look-for.ts";
import { e164Of } from "../values/read-phone.ts";
import { formerIdentities } from "./former-identities.ts";
import type { Subject } from "./subject.ts";

/** The identities that a caller gave; at least one. */
export interface GivenPerson {
  /** In lower case. */
  email: string | undefined;
  /** In E.164. */
  phone: string | undefined;
}

interface LeadRow {
  id: string;
  external_id: string | null;
  email: string | null;
  emails: string[];
  phone: string | null;
  phone_e164: string | null;
  phones: string[];
  merged_into_id: string | null;
}

/** A subject and what is known of its leads. */
export interface FoundSubject {
  subject: Subject;
  /** The leads in the order of their ids. */
  leads: readonly LeadRow[];
}

/** The given leads, those they were merged into, and all leads merged into any of these. */
const LINEAGE = `WITH RECURSIVE up (id, next) AS (
    SELECT id, merged_into_id FROM lead WHERE project_id = $1 AND id = ANY ($2::text[])
    UNION SELECT lead.id, lead.merged_into_id FROM lead JOIN up ON lead.id = up.next WHERE lead.project_id = $1
  ), part (id) AS (
    SELECT id FROM up
    UNION SELECT lead.id FROM lead JOIN part ON lead.merged_into_id = part.id WHERE lead.project_id = $1
  ) SELECT id, external_id, email, emails, phone, phone_e164, phones, merged_into_id FROM lead
  WHERE project_id = $1 AND id IN (SELECT id FROM part) ORDER BY id`;

const BY_EXTERNAL =
  "SELECT id, external_id FROM lead WHERE project_id = $1 AND external_id = ANY ($2::text[])";

const COUNTRY = "SELECT default_country AS country FROM project WHERE project_id = $1";

/** Returns the project's country, by which phone numbers without a country code are read. */
export async function countryOf(db: Pick<Queryable, "query">, projectId: string): Promise<string | null> {
  const [project] = await db.query<{ country: string | null }>(COUNTRY, [projectId]);
  return project?.country ?? null;
}

/**
 * Finds all leads with one of these identities, deleted and merged ones too, each with the leads that are merged with
 * it. With `lock`, they stay locked until the commit.
 */
export async function findPerson(
  db: Pick<Queryable, "query">,
  projectId: string,
  { email, phone }: GivenPerson,
  lock: "lock" | "read",
): Promise<FoundSubject> {
  const country = await countryOf(db, projectId);
  const of = async (kind: "email" | "phone", value: string | undefined) =>
    value === undefined ? [] : await everyHolder(db, projectId, { kind, value }, country);
  const ids = [...(await of("email", email)), ...(await of("phone", phone))];
  const found = await findLineage(db, projectId, ids, lock, country);
  const { subject } = found;
  if (email !== undefined && !subject.emails.includes(email)) subject.emails.push(email);
  if (phone !== undefined && !subject.phones.includes(phone)) subject.phones.push(phone);
  return found;
}

/** Returns the values that no leads but the subject's have. */
async function unshared(
  db: Pick<Queryable, "query">,
  projectId: string,
  kind: "email" | "phone",
  values: readonly string[],
  { leads, country }: Subject,
): Promise<string[]> {
  const own: string[] = [];
  for (const value of values) {
    const holders = await everyHolder(db, projectId, { kind, value }, country);
    if (holders.every((id) => leads.includes(id))) own.push(value);
  }
  return own;
}

/** Returns the subject, whose leads are gone, without the identities that leads which are left have, too. */
export async function withoutShared(
  db: Pick<Queryable, "query">,
  projectId: string,
  subject: Subject,
): Promise<Subject> {
  const emails = await unshared(db, projectId, "email", subject.emails, subject);
  const phones = await unshared(db, projectId, "phone", subject.phones, subject);
  return { ...subject, emails, phones };
}

/** Finds these leads with all leads that are merged with them, and what they once had and no other lead has now. */
export async function findLineage(
  db: Pick<Queryable, "query">,
  projectId: string,
  ids: readonly string[],
  lock: "lock" | "read",
  country: string | null,
): Promise<FoundSubject> {
  const text = lock === "lock" ? `${LINEAGE} FOR UPDATE` : LINEAGE;
  const leads = ids.length === 0 ? [] : await db.query<LeadRow>(text, [projectId, ids]);
  const subject = subjectOf(leads, country);
  if (leads.length === 0) return { subject, leads };
  const former = await formerIdentities(db, projectId, subject);
  subject.emails.push(...(await unshared(db, projectId, "email", former.emails, subject)));
  subject.phones.push(...(await unshared(db, projectId, "phone", former.phones, subject)));
  const holders = await db.query<{ id: string; external_id: string }>(BY_EXTERNAL, [
    projectId,
    former.externals,
  ]);
  const held = holders.flatMap(({ id, external_id }) => (subject.leads.includes(id) ? [] : [external_id]));
  subject.externals.push(...former.externals.filter((each) => !held.includes(each)));
  return { subject, leads };
}

function subjectOf(leads: readonly LeadRow[], country: string | null): Subject {
  const identifiers = leads.flatMap((lead) => {
    const phone_e164 = lead.phone_e164 ?? (lead.phone && e164Of(lead.phone, country));
    return identifiersOf({ ...lead, phone_e164 }, country);
  });
  const of = (kind: IdentityName) => [
    ...new Set(identifiers.flatMap((each) => (each.kind === kind && each.value !== "" ? [each.value] : []))),
  ];
  return {
    leads: leads.map(({ id }) => id),
    ...{ emails: of("email"), phones: of("phone"), externals: of("external_id") },
    country,
  };
}
