import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../../large.ts";
import { world } from "../../world.ts";
import type { Assistant } from "../support/assistant.ts";
import { Caller, when } from "../support/using.ts";
import { planted, type Told, told } from "./support/answers.ts";
import { checked, textOf } from "./support/checked.ts";
import { NARROW, shown } from "./support/host.ts";

const ENGLISH = { locale: "en-US", timeZone: "UTC" };
const WON = when("status", "eq", "won");
const UPDATE = {
  action: "update",
  leads: [{ id: "bia@example.com", status: "lost", tags: ["cold"], value: 9 }],
};

const urlIn = ({ result }: Told): string =>
  (result.structuredContent as { approval: { url: string } }).approval.url;

test("a proposal is shown as what it would change, and only the host opens the page where it is approved", async () => {
  await using the = await world();
  const { asking } = await planted(the);
  const proposal = await told(asking, "write_leads", UPDATE);
  await using view = await shown("change", { context: ENGLISH });
  await view.answer(proposal);
  const text = await textOf(view);
  assert.match(text, /^Waiting for your approval This would change 1 record\. Nothing is changed yet\./);
  assert.match(
    text,
    /Beatriz Almeida Change Status qualified lost Tags − Removed: vip \+ Added: cold Value 125,000 9/,
  );
  assert.match(text, new RegExp(`Review in Leadgate ${new URL(the.authUrl).host} Only you can approve`));
  const buttons = view.frame.locator("button, a, input");
  assert.deepEqual(await buttons.allInnerTexts(), ["Review in Leadgate"], "nothing here approves");
  await checked(view, "a proposal");
  assert.deepEqual(await view.links(), [], "no page is opened before the person asks for it");
  await view.page.keyboard.press("Tab");
  await view.page.keyboard.press("Enter");
  await view.page.waitForFunction("window.host.seen.links.length > 0");
  assert.deepEqual(await view.links(), [urlIn(proposal)]);
  assert.match(urlIn(proposal), new RegExp(`^${the.authUrl}/approvals/[\\w-]+$`));
  const page = await (await the.signedIn()).get(new URL(urlIn(proposal)).pathname);
  assert.match(await page.text(), /Beatriz Almeida/);
});

large("where the host opens no links, the URL is shown, and nothing but a web page is linked", async () => {
  await using the = await world();
  const { asking } = await planted(the);
  const proposal = await told(asking, "write_leads", UPDATE);
  for (const links of ["refused", "none"] as const) {
    await using view = await shown("change", { context: ENGLISH, width: NARROW, links });
    await view.answer(proposal);
    await view.frame.getByRole("button").click();
    await view.frame.getByRole("alert").waitFor();
    assert.equal(await view.frame.locator("[role=alert] code").innerText(), urlIn(proposal));
    assert.equal((await view.links()).length, links === "none" ? 0 : 1);
    await checked(view, `links ${links}`);
    const approval = { url: "javascript:hit()", expires_at: "never" };
    const { structuredContent } = proposal.result;
    await view.answer({ args: {}, result: { structuredContent: { ...structuredContent, approval } } });
    assert.equal(await view.frame.getByRole("button").count(), 0);
  }
});

/** Each call, and what its view shows. */
const CALLS: readonly [who: "free" | "asking", tool: string, args: Record<string, unknown>, shows: RegExp][] =
  [
    [
      "free",
      "write_leads",
      UPDATE,
      /^Changed It can be undone.* Changed 1 Beatriz Almeida Changed Status qualified lost Tags − Removed: vip/,
    ],
    [
      ...(["free", "write_leads"] as const),
      {
        action: "create",
        leads: [
          { name: "Nina", email: "nina@example.com" },
          { name: "Nil", email: "bia@example.com" },
        ],
      },
      /^Created .*Created 1 Not done 1 Nina Created .*Not done Nil A lead with this email already exists/,
    ],
    [
      "free",
      "write_leads",
      { action: "update", leads: [{ id: "x@example.com", city: "A" }] },
      /^The call failed/,
    ],
    [
      ...(["free", "bulk_update_leads"] as const),
      { action: "set", set: { city: "Natal" }, filter: WON },
      /^Dry run Nothing was changed\. .*Found 6 Change 6 Examples .* City Natal/,
    ],
    [
      ...(["free", "bulk_update_leads"] as const),
      { action: "set", set: { city: "Natal" }, filter: WON, dry_run: false, expected_count: 6 },
      /^Changed .*Found 6 Changed 6 New values City Natal$/,
    ],
    [
      ...(["free", "bulk_update_leads"] as const),
      { action: "add_tags", tags: ["hot"], leads: ["lead1@example.com"], dry_run: true },
      /^Dry run .*Change 1 New values Tags \+ Added: hot lead1@example\.com Change/,
    ],
    [
      ...(["free", "bulk_update_leads"] as const),
      { action: "delete", leads: ["lead1@example.com"] },
      /^Waiting for your approval .*Ana Souza 1 Delete Review/,
    ],
    [
      ...(["asking", "merge_leads"] as const),
      { keep: "bia@example.com", merge: "beatriz@example.com" },
      /^Waiting .*Beatriz Almeida Merge E-mails \+ Added: beatriz@example\.com .*Becomes part of the other one/,
    ],
    [
      ...(["free", "log_events"] as const),
      { events: [{ lead: "lead2@example.com", type: "call.made", text: "Called" }] },
      /^Recorded .*Bruno Lima 2 Events recorded Call made: Called$/,
    ],
    [
      ...(["asking", "log_events"] as const),
      { events: [{ lead: "lead2@example.com", type: "note.added", text: "Ok" }] },
      /^Waiting .*Bruno Lima 2 Add events Note added: Ok Review/,
    ],
    [
      "free",
      "write_dataset",
      { dataset: "orders", rows: [{ product: "Sofa", price: 10 }] },
      /^Created .*Sofa Created Product Sofa Price 10/,
    ],
    [
      "free",
      "write_dataset",
      { dataset: "empty", create: { name: "Empty", columns: [{ key: "a", type: "text" }] } },
      /^Dataset created$/,
    ],
    ["free", "save_view", { name: "All won", filter: WON }, /^View saved All won · 6 leads Open in Leadgate/],
    ["free", "undo", { change_id: "chg_01m8f458ffe00b4zdm2c3zgcdb" }, /^The call failed No such change/],
  ];

large("what every writing tool answers is shown, done, planned or refused", async () => {
  await using the = await world();
  const as: Record<"free" | "asking", Assistant> = await planted(the);
  await using view = await shown("change", { context: ENGLISH });
  const show = async (answer: Told, shows: RegExp) => {
    const name = `${answer.tool} ${JSON.stringify(answer.args)}`;
    await view.answer(answer);
    assert.match(await textOf(view), shows, name);
    await checked(view, name);
  };
  for (const [who, tool, args, shows] of CALLS) await show(await told(as[who], tool, args), shows);
  const { structuredContent: made } = await as.free.call("write_leads", {
    ...{ action: "update", leads: [{ id: "lead3@example.com", city: "Belo Horizonte", job_title: "CTO" }] },
  });
  await as.free.call("write_leads", {
    action: "update",
    leads: [{ id: "lead3@example.com", job_title: "CEO" }],
  });
  const undo = { change_id: made.change_id };
  await show(
    await told(as.free, "undo", { ...undo, dry_run: true }),
    /^Dry run Nothing was undone\. .*Carla Dias 3 Put back Fields City Job title: Someone changed it since/,
  );
  await show(
    await told(as.free, "undo", undo),
    /^Undone Kept 1 Put back 1 Carla Dias 3 Put back Fields City/,
  );
});

test("a merge that the person agreed to is shown with what the lead got; one that they declined, as that", async () => {
  await using the = await world();
  const { free } = await planted(the);
  const caller = new Caller(free, []);
  const args = { keep: "bia@example.com", merge: "beatriz@example.com" };
  await using view = await shown("change", { context: ENGLISH });
  const show = async (action: string) => {
    const { answer } = await caller.asked("merge_leads", args, { action, content: { confirm: true } });
    await view.answer({ args, result: { content: [], structuredContent: answer } });
    return await textOf(view);
  };
  assert.equal(await show("decline"), "You declined the change Nothing was changed.");
  assert.equal(await show("cancel"), "The change was cancelled Nothing was changed.");
  assert.match(
    await show("accept"),
    /^Leads merged Beatriz Almeida\. It can be undone.*E-mails beatriz@example\.com/,
  );
  await checked(view, "a merge");
});

large(
  "a change of many leads is shown as running in the background, and then with how it ended",
  async () => {
    await using the = await world();
    const { free } = await planted(the);
    await the.sql(
      `INSERT INTO store.lead (project_id, id, name, status)
     SELECT $1, 'lead_' || lpad(n::text, 26, '0'), 'Nadia', 'new' FROM generate_series(1, 10001) AS n`,
      [the.project.id],
    );
    const caller = new Caller(free, []);
    const args = {
      search: "nadia",
      action: "set",
      set: { score: 9 },
      dry_run: false,
      expected_count: 10_001,
    };
    const consent = { action: "accept", content: { confirm: true } };
    const { answer } = await caller.asked("bulk_update_leads", args, consent);
    await using view = await shown("change", { context: ENGLISH });
    await view.answer({ args, result: { content: [], structuredContent: answer } });
    assert.match(
      await textOf(view),
      /^The change runs in the background It can be undone.* Found 10,001 New values Score 9$/,
    );
    let ended = await told(free, "list_changes", { id: answer.job_id });
    while (/"state":"(waiting|running)"/.test(ended.result.content[0]?.text ?? ""))
      ended = await told(free, "list_changes", { id: answer.job_id });
    await view.answer({ args, result: ended.result });
    assert.match(await textOf(view), /^Changed It can be undone.* Changed 10,001 New values Score 9$/);
    await checked(view, "a job");
  },
);
