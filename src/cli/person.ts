import { checkNewEmail } from "../domain/accounts/change-email.ts";
import { createPerson, findPerson } from "../domain/accounts/people/create-person.ts";
import { setInstanceOwner } from "../domain/accounts/people/instance-owner.ts";
import { setEmail } from "../domain/accounts/people/set-email.ts";
import { offerReset } from "../domain/accounts/reset-link.ts";
import { endAllFactors } from "../domain/accounts/two-factor.ts";
import { record } from "../domain/operation/audit/record.ts";
import { tellFormerEmail } from "../domain/operation/mail/email-mail.ts";
import { type Command, text } from "./command.ts";
import { readText } from "./instance/terminal.ts";
import { personByEmail, unverified, verifiedPersonByEmail } from "./person-by-email.ts";

export const personCreate: Command = {
  name: "person create",
  usage: "person create --email ADDRESS --name NAME --password-stdin   (reads the password from its input)",
  options: { email: { type: "string" }, name: { type: "string" }, "password-stdin": { type: "boolean" } },
  required: ["email", "name", "password-stdin"],
  async run({ options, terminal, service }) {
    const password = (await readText(terminal.read(), "The password")).replace(/\r?\n$/, "");
    const { db } = await service();
    const known = await findPerson(db, text(options, "email"));
    if (known?.verified === false) throw unverified(known);
    const person = await createPerson(db, {
      email: text(options, "email"),
      name: text(options, "name"),
      password,
      verified: true,
    });
    return { id: person.id };
  },
};

export const personResetPassword: Command = {
  name: "person reset-password",
  usage:
    "person reset-password --email ADDRESS   (prints a link to set a password; on an unverified account, using it claims the account)",
  options: { email: { type: "string" } },
  required: ["email"],
  makesLinks: true,
  async run({ options, service }) {
    const opened = await service();
    const { id } = await personByEmail(opened.db, text(options, "email"));
    const link = await opened.db.transaction(async (tx) => {
      await record(opened, tx, { action: "person.reset_requested", personId: id });
      return await offerReset(opened, tx, { personId: id, pause: 0 });
    });
    return { id, link };
  },
};

export const personChangeEmail: Command = {
  name: "person change-email",
  usage: "person change-email --email OLD --to NEW   (the new address counts as verified)",
  options: { email: { type: "string" }, to: { type: "string" } },
  required: ["email", "to"],
  mails: "the notice to the former address",
  async run({ options, service }) {
    const opened = await service();
    const email = checkNewEmail(text(options, "to"));
    const { id } = await verifiedPersonByEmail(opened.db, text(options, "email"));
    const former = await opened.db.transaction((tx) => setEmail(opened, tx, { personId: id, email }));
    tellFormerEmail(opened, { former, email, locale: "en" });
    return { id };
  },
};

export const personEndFactors: Command = {
  name: "person end-factors",
  usage:
    "person end-factors --email ADDRESS   (for someone who lost their phone: removes authenticator app, recovery codes and passkeys)",
  options: { email: { type: "string" } },
  required: ["email"],
  mails: "the notice to this person",
  async run({ options, service }) {
    const opened = await service();
    const { id } = await personByEmail(opened.db, text(options, "email"));
    return { id, ...(await endAllFactors(opened, id)) };
  },
};

export const personInstanceOwner: Command = {
  name: "person instance-owner",
  usage:
    "person instance-owner --email ADDRESS [--remove]   (who sees the state of backups in the panel, besides the first person)",
  options: { email: { type: "string" }, remove: { type: "boolean" } },
  required: ["email"],
  async run({ options, service }) {
    const opened = await service();
    const { id } = await verifiedPersonByEmail(opened.db, text(options, "email"));
    const owns = options.remove !== true;
    await setInstanceOwner(opened, id, owns);
    return { id, instance_owner: owns };
  },
};
