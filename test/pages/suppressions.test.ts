import assert from "node:assert/strict";
import { test } from "node:test";
import { send } from "../accounts/support/visiting.ts";
import { bodyOf } from "../api/support/v1.ts";
import { world } from "../world.ts";

test("an editor adds addresses that must not be contacted, is told which is none, and removes one with a reason; a viewer reads their number", async () => {
  await using the = await world();
  const page = `/projects/${the.project.id}/settings/do-not-contact`;
  const [editor, viewer] = [await the.newPerson(), await the.newPerson()];
  await the.join(editor, the.project.id, "editor");
  await the.join(viewer, the.project.id, "viewer");
  const [browser, reading] = [await the.signedIn(editor), await the.signedIn(viewer)];
  const key = await the.key(["leads:read", "leads:write"]);
  const created = await key.send("POST", "/api/v1/leads", { name: "Ana", email: "ana@example.org" });
  const { id } = await bodyOf<{ id: string }>(created, 201);
  const textOf = async (path = page) => await (await browser.get(path)).text();
  assert.match(await textOf(), /No address is on the list/);

  const refused = await send(browser, page, { addresses: "ana@example.org\n<b>nobody</b>" });
  assert.equal(refused.status, 422);
  const again = await refused.text();
  assert.match(again, /“&#60;b&#62;nobody&#60;\/b&#62;” is neither an e-mail address nor a phone number/);
  assert.match(again, /ana@example\.org\n&#60;b&#62;nobody/, "what was typed is still there");
  const added = await send(browser, page, {
    addresses: "ANA@example.org\r\n+55 11 91234-5678; bo@example.org",
  });
  const outcome = added.headers.get("location") ?? "";
  assert.match(await textOf(outcome), /Added to the list: 3\. Leads marked “do not contact”: 1\./);
  assert.match(await textOf(), /3 addresses are on the list/);
  const lead = await bodyOf<{ do_not_contact: boolean }>(await key.send("GET", `/api/v1/leads/${id}`));
  assert.equal(lead.do_not_contact, true);

  const unknown = await send(browser, `${page}/remove`, { address: "cy@example.org", reason: "?" });
  assert.equal(unknown.status, 404);
  assert.match(await unknown.text(), /This address is not on the list/);
  const removed = await send(browser, `${page}/remove`, {
    address: "ana@example.org",
    reason: "She asked us to write again.",
  });
  assert.match(
    await textOf(removed.headers.get("location") ?? ""),
    /Leads still marked “do not contact”: 1\./,
  );
  const shown = await (await reading.get(page)).text();
  assert.match(shown, /2 addresses are on the list/);
  assert.doesNotMatch(shown, /<textarea/);
  const log = await (await (await the.signedIn()).get(`/projects/${the.project.id}/settings/log`)).text();
  assert.match(log, /An address may be contacted again/);
});
