import assert from "node:assert/strict";
import { test } from "node:test";
import { linkIn, mailbox } from "../accounts/support/mailbox.ts";
import { large } from "../large.ts";
import { freePort, world } from "../world.ts";
import { leadgate } from "./support/leadgate.ts";

large(
  "the operator gives an unverified account no rights, and is told what to do; the printed link claims it",
  async () => {
    await using the = await world();
    const { email, id } = await the.newPerson("The CEO");
    await the.sql("UPDATE person SET verified_at = NULL WHERE id = $1", [id]);
    const add = ["member", "add", "--project", the.project.id, "--email", email, "--role", "owner"];
    const advice = new RegExp(
      `nobody has proved .*person reset-password --email ${email}.*hand the link`,
      "s",
    );
    for (const words of [
      add,
      ["project", "create", "--name", "Theirs", "--owner", email],
      ["person", "create", "--email", email, "--name", "The CEO", "--password-stdin"],
    ]) {
      const refused = await leadgate(the, words, "a long new sentence");
      assert.equal(refused.code, 1, refused.out);
      assert.match(refused.err, advice);
    }
    assert.deepEqual(await the.sql("SELECT FROM membership WHERE person_id = $1", [id]), []);
    const printed = await leadgate(the, ["person", "reset-password", "--email", email, "--json"]);
    const { link } = JSON.parse(printed.out) as { link: string };
    const set = await the.browser().post(new URL(link).pathname, { password: "the owner's sentence" });
    assert.equal(set.status, 200);
    const added = await leadgate(the, add);
    assert.equal(added.code, 0, added.err);
  },
);

test("with a mail server, an invitation from the command line is mailed, not printed, and a refused mail is an error", async () => {
  await using mail = await mailbox();
  await using the = await world({ env: { SMTP_URL: mail.url } });
  const invite = ["member", "invite", "--project", the.project.id, "--role", "viewer", "--json"];
  const invited = await leadgate(the, [...invite, "--email", "n@example.org"]);
  assert.equal(invited.code, 0, invited.err);
  const { id, ...rest } = JSON.parse(invited.out) as { id: string };
  assert.match(id, /^inv_/);
  assert.deepEqual(rest, { mailed: true });
  const [letter] = mail.letters;
  assert.ok(letter !== undefined, "accepted before the command ended");
  assert.equal((await the.browser().get(linkIn(letter))).status, 200);
  const nowhere = { ...the, env: { ...the.env, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } };
  const refused = await leadgate(nowhere, [...invite, "--email", "m@example.org"]);
  assert.equal(refused.code, 1);
  const { error } = JSON.parse(refused.out) as { error: { code: string; message: string } };
  assert.equal(error.code, "mail_refused");
  assert.match(error.message, /did not accept the mail to m@example\.org: .*Check SMTP_URL and run/);
});
