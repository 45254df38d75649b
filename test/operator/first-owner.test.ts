import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { perform } from "../../src/domain/operation/operation.ts";
import { inviteMember } from "../../src/domain/projects/invitations/invite-member.ts";
import { offerSetUp } from "../../src/domain/projects/set-up.ts";
import { formOf } from "../browser.ts";
import { leadgate } from "../cli/support/leadgate.ts";
import { instance } from "../instance.ts";
import { large, test } from "../large.ts";
import { type World, world } from "../world.ts";

const PASSWORD = "a long enough one";
const ownerOf = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@example.org`,
  password: PASSWORD,
  project: `Project of ${name}`,
});

/** Returns the set-up links that instances print which start at the same moment on a database without accounts. */
async function linksOf(...instances: World[]): Promise<string[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    await instances[0]?.sql("DELETE FROM leadgate.person");
    const tokens = await Promise.all(instances.map(({ service }) => offerSetUp(service)));
    const kept = await instances[0]?.sql("SELECT FROM leadgate.setup_link WHERE used_at IS NULL");
    if (kept?.length === instances.length) return tokens.map((token) => `/setup/${token}`);
  }
  throw new Error("the starts never coincided");
}

test("of two instances that start together, one link makes an owner, however close two people use them", async () => {
  await using first = await world({ alone: true });
  await using second = await world({ env: { DATABASE_URL: first.databaseUrl } });
  for (let round = 1; round <= 6; round += 1) {
    const [one = "", other = ""] = await linksOf(first, second);
    const answers = await Promise.all([
      first.browser().post(one, ownerOf("Ana")),
      second.browser().post(other, ownerOf("Bea")),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404], `round ${round}`);
    const refused = answers.find(({ status }) => status === 404);
    assert.match((await refused?.text()) ?? "", /has an account already.*Sign in/s);
    const owners = await first.sql(
      "SELECT verified_at IS NOT NULL AND owns_instance AS owns FROM leadgate.person",
    );
    assert.deepEqual(owners, [{ owns: true }]);
  }
});

test("a set-up link is dead once there is an account: from the command line, an invitation or another link", async () => {
  await using the = await world({ alone: true });
  await using other = await world({ env: { DATABASE_URL: the.databaseUrl } });
  const guest = { email: "guest@example.org", role: "viewer", locale: "en" } as const;
  const person = ["person", "create", "--email", "ada@example.org", "--name", "Ada", "--password-stdin"];
  const { link: invitation = "" } = await perform(
    the.service,
    inviteMember,
    { personId: null, projectId: the.project.id },
    guest,
  );
  const ways: Record<string, (links: string[]) => Promise<unknown>> = {
    "command line": async () => assert.equal((await leadgate(the, person, PASSWORD)).code, 0),
    invitation: async () => {
      const [browser, path] = [the.browser(), new URL(invitation).pathname];
      const { action, hidden } = await formOf(await browser.get(path));
      const joined = await browser.post(action, { ...hidden, name: "Guest", password: PASSWORD });
      assert.equal(joined.status, 303);
    },
    "other link": async ([, link = ""]) =>
      assert.equal((await other.browser().post(link, ownerOf("Bea"))).status, 303),
  };
  for (const [way, create] of Object.entries(ways)) {
    const links = await linksOf(the, other);
    const [link = ""] = links;
    await create(links);
    const browser = the.browser();
    for (const answer of [await browser.get(link), await browser.post(link, ownerOf("Cid"))]) {
      assert.equal(answer.status, 404, way);
      assert.match(await answer.text(), /has an account already.*Sign in/s, way);
    }
    const inPortuguese = await browser.get(link, { "Accept-Language": "pt-BR" });
    assert.match(await inPortuguese.text(), /já tem uma conta/);
    assert.equal((await the.sql("SELECT FROM leadgate.person")).length, 1, way);
  }
});

large("an instance that fails to look for the first owner serves, and looks again", async () => {
  await using the = await world({ alone: true });
  await the.sql(`CREATE SEQUENCE store.looks;
    CREATE FUNCTION store.fail_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF nextval('store.looks') = 1 THEN RAISE EXCEPTION 'this once'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER fails_once BEFORE INSERT ON leadgate.setup_link EXECUTE FUNCTION store.fail_once()`);
  const one = await instance(the, "all");
  const looks = async () =>
    Number((await the.sql<{ last_value: string }>("SELECT last_value FROM store.looks"))[0]?.last_value);
  for (let tries = 0; tries < 200 && (await looks()) < 2; tries += 1) await sleep(50);
  assert.equal(await looks(), 2);
  assert.equal((await fetch(`${one.baseUrl}/readyz`)).status, 200);
  assert.equal(await one.end("SIGTERM"), 0);
});
