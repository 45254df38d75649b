import assert from "node:assert/strict";
import { test } from "node:test";
import { keeper, make } from "../../datasets/support/dataset.ts";
import { world } from "../../world.ts";
import { planted, told } from "./support/answers.ts";
import { checked, textOf } from "./support/checked.ts";
import { NARROW, shown } from "./support/host.ts";

const SAO_PAULO = { locale: "pt-BR", timeZone: "America/Sao_Paulo" };

test("a lead is shown with its fields, its newest events and its linked rows, in the host's language and time zone", async () => {
  await using the = await world();
  const { free } = await planted(the);
  await make(await keeper(the), {
    ...{
      key: "visits",
      name: "Visits",
      columns: [
        { key: "email", type: "email" },
        { key: "page", type: "text" },
      ],
    },
    lead_link: { column: "email", match: "email" },
  });
  await free.call("write_dataset", {
    dataset: "visits",
    rows: [{ email: "bia@example.com", page: "/prices" }],
  });
  const note = {
    lead: "bia@example.com",
    type: "note.added",
    text: "Wants a quote",
    occurred_at: "2026-10-01T02:30:00Z",
  };
  await free.call("log_events", { events: [note] });
  await free.call("write_leads", {
    ...{ action: "update", leads: [{ id: "bia@example.com", status: "won", tags: ["vip", "signed"] }] },
  });
  const answer = await told(free, "get_lead", { id: "bia@example.com", include_datasets: true });
  await using view = await shown("lead", { context: SAO_PAULO });
  await view.answer(answer);
  const text = await textOf(view);
  assert.match(
    text,
    /^Beatriz Almeida Head of Purchasing · Acme Ltda Não contatar won E-mail bia@example\.com/,
  );
  assert.match(text, /Valor R\$ 125\.000,00 .*Pontuação 82/);
  assert.match(text, /Visits Email Page bia@example\.com \/prices/);
  assert.match(text, /Status: alteração qualified won/);
  assert.match(text, /Tags: alteração \+ Adicionado: signed/);
  // Half past two in London is half past eleven on the evening before.
  assert.match(text, /Nota adicionada Wants a quote 30 de set\. de 2026, 23:30 · Test application/);
  assert.equal(await view.frame.locator("html").getAttribute("lang"), "pt-BR");
  await view.frame.getByText("Mais campos").click();
  assert.match(await textOf(view), /Origem fair .*Criação 20 de set\. de 2026/);
  await checked(view, "a lead");
  await view.change({ locale: "en-GB", timeZone: "UTC" });
  assert.match(await textOf(view), /Do not contact .*Wants a quote 1 Oct 2026, 02:30/);
});

test("leads that are deleted, missing or not told apart are shown as that, on a phone", async () => {
  await using the = await world({ alone: true });
  const { free } = await planted(the);
  await using view = await shown("lead", { width: NARROW, context: { locale: "en-US" } });
  await view.answer(await told(free, "get_lead", { id: "nobody@example.com" }));
  assert.match(await textOf(view), /^The call failed No lead has .*nobody@example\.com.* Request req_/);
  await view.answer(await told(free, "get_lead", { id: "Beatriz Almeida" }));
  assert.match(
    await textOf(view),
    /^The call failed 2 leads are called .* Beatriz Almeida, Acme Ltda, bia@example\.com, \+55 11 98765-4321, Recife, qualified/,
  );
  assert.doesNotMatch(await textOf(view), /lead_/);
  await checked(view, "several leads");
  await the.sql("UPDATE store.lead SET deleted_at = now() WHERE email = 'bia@example.com'");
  const [{ id } = { id: "" }] = await the.sql<{ id: string }>(
    "SELECT id FROM store.lead WHERE email = 'bia@example.com'",
  );
  await view.answer(await told(free, "get_lead", { id, events: 0 }));
  assert.match(await textOf(view), /Deleted/);
  await checked(view, "a deleted lead");
});
