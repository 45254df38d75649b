import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpUiStyles } from "@modelcontextprotocol/ext-apps";
import { large } from "../../large.ts";
import { HOSTILE } from "../../panel/support/hostile-strings.ts";
import { world } from "../../world.ts";
import { Assistant } from "../support/assistant.ts";
import { planted, told } from "./support/answers.ts";
import { checked, textOf } from "./support/checked.ts";
import { NARROW, shown, type ViewName } from "./support/host.ts";

const VIEWS: readonly ViewName[] = ["results", "lead", "change"];
const UNKNOWN = "This answer cannot be shown here. The assistant has it as text.";

const text = (json: string) => ({ content: [{ type: "text", text: json }] });

test("a view waits for the answer, and says so if there is none or if it has no view", async () => {
  for (const name of VIEWS) {
    await using view = await shown(name, { context: { locale: "en-US" } });
    assert.equal(await textOf(view), "Loading…", name);
    await checked(view, `${name}, waiting`);
    for (const result of [
      text("Done."),
      text("[1, 2]"),
      text('{"state":"done"}'),
      { content: [] },
      { content: [{ type: "image", data: "", mimeType: "image/png" }] },
      { content: [], structuredContent: { leads: 7, lead: 7, groups: [7], conditions: 7, answer: null } },
    ]) {
      await view.answer({ args: {}, result });
      const said = await textOf(view);
      assert.ok(
        said === UNKNOWN || said === "No leads match Ask for a different search or fewer conditions.",
        said,
      );
    }
    await view.answer({ args: {}, result: { ...text("Not reached."), isError: true } });
    assert.equal(await textOf(view), "The call failed Not reached.");
    await view.cancel();
    assert.equal(await textOf(view), "The assistant cancelled this call.");
    await checked(view, `${name}, cancelled`);
  }
});

test("an answer without structured content is read from its text", async () => {
  await using view = await shown("lead", { context: { locale: "en-US" } });
  await view.answer({ args: {}, result: text('{"lead":{"id":"lead_1","name":"Ana","status":"new"}}') });
  assert.equal(await textOf(view), "Ana new");
});

/** Colours of a host; dark ones as many hosts send them, in one value with the light ones. */
const COLOURS = {
  "--color-background-primary": "light-dark(#fafafa, #262624)",
  "--color-background-secondary": "light-dark(#f0eee6, #30302e)",
  "--color-text-primary": "light-dark(#141413, #faf9f5)",
  "--color-text-secondary": "light-dark(#4d4c48, #c2c0b6)",
  "--font-sans": "serif",
} as McpUiStyles;

test("a view has the host's theme, colours and font, and follows them", async () => {
  await using the = await world();
  const { free } = await planted(the);
  await using view = await shown("results", { context: { theme: "dark", styles: { variables: COLOURS } } });
  await view.answer(await told(free, "find_leads", { limit: 3 }));
  const look = () =>
    view.frame.evaluate(`(({ backgroundColor, color, fontFamily }) => [backgroundColor, color, fontFamily])(
      getComputedStyle(document.body))`);
  assert.deepEqual(await look(), ["rgb(38, 38, 36)", "rgb(250, 249, 245)", "serif, sans-serif"]);
  await view.change({ theme: "light" });
  assert.deepEqual(await look(), ["rgb(250, 250, 250)", "rgb(20, 20, 19)", "serif, sans-serif"]);
  await checked(view, "the host's colours");
  const { "--color-text-primary": _, ...some } = COLOURS;
  await view.change({ theme: "light", styles: { variables: some as McpUiStyles } });
  const [background, ink] = (await look()) as string[];
  assert.deepEqual([background, ink], ["rgb(255, 255, 255)", "rgb(27, 36, 34)"], "half of a palette is none");
});

test("a view reports its size, and answers that it may be closed", async () => {
  await using the = await world();
  const { free } = await planted(the);
  await using view = await shown("results", { width: NARROW });
  await view.answer(await told(free, "find_leads", { limit: 10 }));
  await checked(view, "ten leads");
  const { width, height } = await view.size();
  assert.equal(width, NARROW);
  assert.ok(height > 300 && height < 700, `${height}`);
  assert.deepEqual(await view.close(), {});
});

test("what a view may not do would be seen", async () => {
  await using view = await shown("lead");
  await view.frame.evaluate("fetch('https://leads.example/').catch(() => undefined)");
  await view.frame.evaluate(
    "document.body.append(Object.assign(new Image(), { src: 'https://leads.example/x.png' }))",
  );
  const seen = view.faults.join("\n");
  assert.match(seen, /console: Connecting to 'https:\/\/leads\.example\/' violates/);
  assert.match(seen, /request: https:\/\/leads\.example\/x\.png/);
  view.faults.length = 0;
  await assert.rejects(checked(view, "a picture without a text"), /image-alt/);
});

/** Texts that the service takes as names. */
const NAMES = HOSTILE.filter((each) => each.trim().length > 2 && each.length < 190).slice(0, 150);

large("texts of leads stay texts: no link, no script, no request, and every character is there", async () => {
  await using the = await world();
  const free = await Assistant.authorized(the);
  const leads = NAMES.map((name, i) => ({ name, company: name, source: name, email: `h${i}@example.com` }));
  await free.call("write_leads", { action: "create", leads });
  const asking = await Assistant.authorized(the, { asks: true });
  const found = await told(free, "find_leads", { limit: 200, fields: ["name", "company"] });
  const { rows } = found.result.structuredContent.leads as { rows: string[][] };
  assert.ok(rows.length > 100, `${rows.length} of ${NAMES.length} names were taken`);
  const foreign = "a, img, iframe, link, object, form, main script, main style, [href], [src]";
  await using results = await shown("results");
  await results.answer(found);
  await results.frame.getByRole("button").click();
  assert.deepEqual(
    await results.frame.locator("tbody th bdi").allTextContents(),
    rows.map(([, name]) => name).filter((name) => name !== ""),
  );
  assert.equal(await results.frame.locator(foreign).count(), 0);
  assert.deepEqual(results.faults, []);
  await using lead = await shown("lead");
  await using change = await shown("change");
  for (const [id = "", name = ""] of rows.filter(([, name]) => name !== "").slice(0, 12)) {
    await lead.answer(await told(free, "get_lead", { id }));
    assert.equal(await lead.frame.locator("h1").textContent(), name);
    const update = {
      action: "update",
      leads: [{ id, company: `${name.slice(0, 100)}!`, city: name.slice(0, 100) }],
    };
    await change.answer(await told(asking, "write_leads", update));
    assert.equal(await change.frame.locator("main li bdi").first().textContent(), name);
    for (const view of [lead, change]) {
      assert.equal(await view.frame.locator(foreign).count(), 0, name);
      assert.deepEqual(view.faults, [], name);
    }
  }
});
