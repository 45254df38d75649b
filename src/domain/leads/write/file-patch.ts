import type { LeadPatch } from "../../fields/lead-input.ts";
import { e164Of } from "../../values/read-phone.ts";

/** A new lead of a file whose main e-mail or phone is blank gets its first further one as the main one. */
export function withMain(patch: LeadPatch, country: string | null): LeadPatch {
  const { email, emails, phone, phones } = patch;
  if (emails === undefined && phones === undefined) return patch;
  const [firstEmail, ...otherEmails] = Array.isArray(emails) ? emails : [];
  const [firstPhone, ...otherPhones] = Array.isArray(phones) ? phones : [];
  return {
    ...patch,
    ...(typeof email !== "string" && firstEmail !== undefined
      ? { email: firstEmail, emails: otherEmails }
      : {}),
    ...(typeof phone !== "string" && firstPhone !== undefined
      ? { phone: firstPhone, phone_e164: e164Of(firstPhone, country), phones: otherPhones }
      : {}),
  };
}

/** What a record says of opting out, if the person did; nobody's opt-out is left out. */
export function optOutOf({
  do_not_contact: isOut,
  consent_status: status,
  consent_at: at,
}: LeadPatch): LeadPatch | undefined {
  if (isOut !== true) return undefined;
  return {
    do_not_contact: true,
    ...(status === undefined ? {} : { consent_status: status }),
    ...(at === undefined ? {} : { consent_at: at }),
  };
}
