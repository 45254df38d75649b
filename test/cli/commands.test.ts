import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fingerprintOf } from "../../src/core/secret.ts";
import { setUpApp } from "../accounts/support/signing-in.ts";
import { large } from "../large.ts";
import { Application, tokensOf } from "../oauth/support/application.ts";
import { cluster } from "../oauth/support/instances.ts";
import { world } from "../world.ts";
import { leadgate } from "./support/leadgate.ts";

test("person, project, member and key are created on the command line while a server runs", async () => {
  await using the = await world();
  const person = await leadgate(
    the,
    ["person", "create", "--email", "cli@example.org", "--name", "Cli", "--password-stdin", "--json"],
    "typed on a line\n",
  );
  assert.equal(person.code, 0, person.err);
  assert.match(JSON.parse(person.out).id, /^per_/);
  const project = await leadgate(the, [
    "project",
    "create",
    "--name",
    "From the console",
    "--owner",
    "CLI@example.org",
    "--json",
  ]);
  const projectId = JSON.parse(project.out).id as string;
  const member = await leadgate(the, [
    "member",
    "add",
    "--project",
    projectId,
    "--email",
    the.person.email,
    "--role",
    "viewer",
    "--json",
  ]);
  assert.equal(member.code, 0, member.err);
  const key = await leadgate(the, [
    "key",
    "create",
    "--project",
    projectId,
    "--name",
    "n",
    "--permissions",
    "leads:read",
    "--json",
  ]);
  const answer = await fetch(`${the.baseUrl}/api/leads/query/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${JSON.parse(key.out).key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ project_id: projectId }),
  });
  assert.equal(answer.status, 200);
  const browser = the.browser();
  const signedIn = await browser.signIn({ email: "cli@example.org", password: "typed on a line" });
  assert.equal(signedIn.status, 303);
});

large("the operator creates a reset link and an invitation that work, while a server runs", async () => {
  await using the = await world();
  const json = async (...words: string[]) => {
    const { code, out, err } = await leadgate(the, [...words, "--json"]);
    assert.equal(code, 0, err);
    return JSON.parse(out) as { id: string; link: string };
  };
  const reset = await json("person", "reset-password", "--email", the.person.email.toUpperCase());
  assert.equal(reset.id, the.person.id);
  const set = await the.browser().post(new URL(reset.link).pathname, { password: "a wholly new sentence" });
  assert.equal(set.status, 200);
  const signedIn = await the.browser().signIn({ ...the.person, password: "a wholly new sentence" });
  assert.equal(signedIn.status, 303);
  const invited = await json(
    ...["member", "invite", "--project", the.project.id],
    ...["--email", "new@example.org", "--role", "owner"],
  );
  assert.match(invited.id, /^inv_/);
  const page = await the.browser().get(new URL(invited.link).pathname);
  assert.match(await page.text(), /You have been invited to the project/);
  const nowhere = ["--project", "prj_nowhere", "--email", "n@example.org", "--role", "viewer"];
  assert.equal((await leadgate(the, ["member", "invite", ...nowhere])).code, 1);
  const nobody = await leadgate(the, ["person", "reset-password", "--email", "nobody@example.org"]);
  assert.match(nobody.err, /no account with the e-mail/);
});

test("the operator restores access after a lost phone: app, recovery codes and passkeys end, the password stays", async () => {
  await using the = await world();
  await setUpApp(await the.signedIn(), the.person.password);
  assert.equal((await the.browser().signIn(the.person)).status, 200, "a code is asked");
  const ended = await leadgate(the, ["person", "end-factors", "--email", the.person.email, "--json"]);
  assert.deepEqual(JSON.parse(ended.out), { id: the.person.id, passkeys: 0 });
  assert.equal((await the.browser().signIn(the.person)).status, 303);
});

large(
  "the operator sees what each secret key is needed for until the former one can be removed",
  async () => {
    await using many = await cluster();
    const [former, newer] = ["c".repeat(32), "d".repeat(32)];
    const before = await many.start(former);
    const app = await Application.register(before);
    const browser = await before.signedIn();
    const [first, second] = [await app.tokens(browser), await app.tokens(browser)];
    const ended = await app.tokens(browser);
    await before.sql('UPDATE store."authorization" SET revoked_at = now() WHERE id = $1', [
      `az_${ended.refresh.split("_")[2]}`,
    ]);
    await setUpApp(browser, before.person.password);
    await many.stop(before);

    const both = await many.start(`${newer},${former}`);
    const keys = async (...options: string[]) => {
      const { code, out, err } = await leadgate(both, ["secret-keys", ...options, "--json"]);
      assert.equal(code, 0, err);
      assert.ok(!out.includes(former) && !out.includes(newer), "fingerprints, never keys");
      return JSON.parse(out) as object;
    };
    const there = new Application(both, app.clientId);
    await tokensOf(await there.refresh(first.refresh));
    const known = { in_secret_key: true, instances: 1 };
    const rest = {
      authorizations_without_key: 0,
      authenticators_without_key: 0,
      suppressions_without_key: 0,
    };
    const shown = (newest: object, old: object, more = rest) => ({
      [fingerprintOf(newer)]: { signs: true, ...known, ...newest, removable: false },
      [fingerprintOf(former)]: { signs: false, ...known, removable: false, ...old },
      ...more,
    });
    const one = { authorizations: 1, authenticators: 1, suppressions: 1 };
    const moved = { authenticators: 0, suppressions: 0 };
    assert.deepEqual(await keys(), shown({ ...one, authenticators: 0 }, one));
    const all = { ...one, suppressions: 2 };
    assert.deepEqual(await keys("--reseal"), shown(all, { ...one, ...moved }));
    await tokensOf(await there.refresh(second.refresh));
    const none = { authorizations: 0, ...moved };
    assert.deepEqual(await keys(), shown({ ...all, authorizations: 2 }, { ...none, removable: true }));
    await both.sql('UPDATE store."authorization" SET signed_by = NULL WHERE revoked_at IS NULL');
    assert.deepEqual(
      await keys(),
      shown({ ...all, authorizations: 0 }, none, { ...rest, authorizations_without_key: 2 }),
    );
  },
);

large(
  "a refused command says why and exits with 1; an invalid one shows its usage and exits with 2",
  async () => {
    await using the = await world();
    const refused = await leadgate(the, [
      "project",
      "create",
      "--name",
      "x",
      "--owner",
      "nobody@example.org",
    ]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /no account with the e-mail nobody@example.org/);
    const vague = await leadgate(the, ["project", "create"]);
    assert.equal(vague.code, 2);
    assert.match(vague.err, /Usage: leadgate project create/);
    const lastOwner = await leadgate(the, [
      "member",
      "add",
      "--project",
      the.project.id,
      "--email",
      the.person.email,
      "--role",
      "viewer",
    ]);
    assert.equal(lastOwner.code, 1);
    assert.match(lastOwner.err, /at least one owner/);
  },
);

test("an instance whose secret key was never used with this database refuses to start", async () => {
  await using the = await world({ alone: true });
  the.env.SECRET_KEY = "another key that is long enough for it";
  const refused = await leadgate(the, ["migrate"]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /does not match this database/);
});

test("an import on the command line answers its account, and names what it skipped and what failed", async () => {
  await using the = await world({ alone: true });
  const folder = await mkdtemp(join(tmpdir(), "leadgate-cli-"));
  try {
    const file = join(folder, "leads.csv");
    await writeFile(
      file,
      'email,name,Plan\nx@example.org,"Two\nlines",gold\nX@EXAMPLE.ORG,Other,gold\nbad,Q,\n,,\n',
    );
    const words = ["import", "leads", "--project", the.project.id, "--file", file, "--json"];
    const { id, ...account } = JSON.parse((await leadgate(the, words)).out);
    assert.match(id, /^imp_/);
    assert.deepEqual(account, {
      preset: null,
      rows: 4,
      created: 1,
      updated: 1,
      unchanged: 0,
      skipped: 1,
      failed: 1,
      opted_out: 0,
      opt_outs_kept: 0,
      questions: [
        { id: "unused_column:Plan", message: '"Plan" fills no field and is left out.', choice: "drop" },
      ],
      skipped_columns: ["Plan"],
      failures: [{ row: 5, column: "email", code: "not_an_email", message: "is not an e-mail address" }],
    });
    const answers = join(folder, "answers.json");
    await writeFile(answers, '{"unused_column:Plan": "note"}');
    const kept = JSON.parse((await leadgate(the, [...words, "--answers", answers])).out);
    assert.deepEqual([kept.skipped_columns, kept.questions[0].choice], [[], "note"]);
    const again = JSON.parse((await leadgate(the, words)).out);
    assert.deepEqual([again.created, again.questions[0].answered], [0, kept.id]);
    await writeFile(answers, '{"main_phone": "Plan"}');
    const unknown = await leadgate(the, [...words, "--answers", answers]);
    assert.deepEqual([unknown.code, JSON.parse(unknown.out).error.code], [1, "unknown_question"]);
    const nowhere = await leadgate(the, [...words.slice(0, 3), "prj_nowhere", ...words.slice(4)]);
    assert.equal(nowhere.code, 1);
    assert.equal(JSON.parse(nowhere.out).error.code, "not_found");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

large(
  "the operator sets a project's region when creating it, and changes it later with the roles that may connect, audited",
  async () => {
    await using the = await world({ alone: true });
    const owned = ["project", "create", "--name", "Porto", "--owner", the.person.email];
    const wrong = await leadgate(the, [...owned, "--country", "ZZ", "--currency", "QQQ"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /Choose a country.*Choose a currency/);
    const made = await leadgate(the, [
      ...owned,
      "--timezone",
      "America/Sao_Paulo",
      "--country",
      "br",
      "--json",
    ]);
    assert.equal(made.code, 0, made.err);
    const { id } = JSON.parse(made.out) as { id: string };
    const stored = async () =>
      await the.sql(
        "SELECT name, timezone, default_country, currency FROM store.project WHERE project_id = $1",
        [id],
      );
    const place = { timezone: "America/Sao_Paulo", default_country: "BR" };
    assert.deepEqual(await stored(), [{ name: "Porto", ...place, currency: null }]);
    const change = (...words: string[]) => leadgate(the, ["project", "change", "--project", id, ...words]);
    assert.equal((await change()).code, 2);
    assert.equal((await change("--timezone", "Mars/Base")).code, 1);
    assert.equal((await change("--name", "Lisboa", "--country", "", "--currency", "EUR")).code, 0);
    assert.deepEqual(await stored(), [{ name: "Lisboa", ...place, default_country: null, currency: "EUR" }]);
    const told = await the.sql<{ actor: string | null; data: object }>(
      "SELECT actor, data -> 'country' AS data FROM audit WHERE action = 'project.changed'",
    );
    assert.deepEqual(told, [{ actor: null, data: { from: "BR", to: null } }]);
    assert.equal((await change("--connect-roles", "admin,boss")).code, 1);
    assert.equal((await change("--connect-roles", "admin, viewer")).code, 0);
    const [mayConnect] = await the.sql("SELECT connect_roles FROM store.project WHERE project_id = $1", [id]);
    assert.deepEqual(mayConnect, { connect_roles: ["owner", "admin", "viewer"] });
    const nowhere = await leadgate(the, [
      "project",
      "change",
      "--project",
      "prj_nowhere",
      "--name",
      "x",
      "--json",
    ]);
    assert.equal(JSON.parse(nowhere.out).error.code, "not_found");
  },
);

large(
  "an import on the command line shows a hundred errors, and says how many more rows failed",
  async () => {
    await using the = await world({ alone: true });
    const folder = await mkdtemp(join(tmpdir(), "leadgate-import-"));
    const file = join(folder, "many.csv");
    try {
      const rows = Array.from({ length: 130 }, (_, i) => `${i},much,nobody\n`);
      await writeFile(file, `external_id,score,email\n${rows.join("")}`);
      const words = ["import", "leads", "--project", the.project.id, "--file", file];
      const {
        failed,
        failures,
        failed_rows_not_shown: more,
      } = JSON.parse((await leadgate(the, [...words, "--json"])).out);
      assert.deepEqual([failed, failures.length, more], [130, 100, 80]);
      assert.match((await leadgate(the, words)).out, /^failed_rows_not_shown: 80$/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

large(
  "the operator changes an account's address, which counts as verified, audited without the addresses",
  async () => {
    await using the = await world({ alone: true });
    const { id, email, password } = the.person;
    const change = (to: string, from = email) =>
      leadgate(the, ["person", "change-email", "--email", from, "--to", to, "--json"]);
    const changed = await change("ada@new.example", email.toUpperCase());
    assert.deepEqual([changed.code, JSON.parse(changed.out)], [0, { id }], changed.err);
    const [now] = await the.sql("SELECT email, verified_at IS NOT NULL AS verified FROM person");
    assert.deepEqual(now, { email: "ada@new.example", verified: true });
    assert.equal((await the.browser().signIn({ email: "ada@new.example", password })).status, 303);
    const entries = await the.sql("SELECT data, actor FROM audit WHERE action = 'person.email_changed'");
    assert.deepEqual(entries, [{ data: {}, actor: null }]);
    const other = await the.newPerson("Other");
    for (const [to, code] of [
      [other.email.toUpperCase(), "email_in_use"],
      ["not an address", "bad_email"],
    ] as const) {
      const refused = await change(to, "ada@new.example");
      assert.deepEqual([refused.code, JSON.parse(refused.out).error.code], [1, code]);
    }
    assert.equal(JSON.parse((await change("x@new.example", email)).out).error.code, "no_person");
  },
);

test("the operator cannot verify an unverified account by changing its address: its owner must claim it first", async () => {
  await using the = await world({ alone: true });
  await the.sql("UPDATE person SET verified_at = NULL");
  const words = ["person", "change-email", "--email", the.person.email, "--to", "ada@new.example", "--json"];
  const refused = await leadgate(the, words);
  assert.deepEqual([refused.code, JSON.parse(refused.out).error.code], [1, "unverified"]);
  const [now] = await the.sql("SELECT email, verified_at FROM person");
  assert.deepEqual(now, { email: the.person.email, verified_at: null });
});

test("a common password is refused on the command line too, with the reason", async () => {
  await using the = await world({ alone: true });
  const words = ["person", "create", "--email", "cli@example.org", "--name", "Cli", "--password-stdin"];
  const refused = await leadgate(the, words, "password\n");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^leadgate: Many people use this password, .*Use a sentence of your own/);
  assert.deepEqual(await the.sql("SELECT FROM person WHERE email = 'cli@example.org'"), []);
});
