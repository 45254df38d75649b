import { test } from "node:test";
import { perform } from "../../src/domain/operation/operation.ts";
import { createLead } from "../../src/domain/leads/write/create-lead.ts";
import { approveApproval } from "../../src/domain/approvals/decide-approval.ts";
import { openApproval } from "../../src/domain/approvals/open-approval.ts";
import { startSession } from "../../src/domain/accounts/sessions/session.ts";
import { world } from "../world.ts";
import { AskingApplication } from "./support/asking.ts";

test("try", async () => {
  await using the = await world();
  const asking = await AskingApplication.connect(the);
  console.log(await the.sql("SELECT writes FROM store.authorization"));
  await perform(the.service, createLead, asking.caller, { lead: { name: "X" } }).catch((e) => console.log(e.kind, e.code));
  const show = async (op: string, input: object) => {
    try { const p = await asking.propose(op, input); console.log(op, JSON.stringify(p, null, 1)); return p } catch (e) { console.log(op, "REFUSED", e); }
  };
  const p = await show("leads.create_once", { lead: { name: "Ana Souza", email: "ana@x.org", tags: ["a"], custom: {} }, on_duplicate: "fail" });
  await show("leads.create_once", { lead: { nme: "Ana Souza", email: "ana@x.org" }, on_duplicate: "fail" });
  const signed = p!.url.split("/").at(-1)!;
  const caller = { person: the.person as never, session: await startSession(the.service, the.service.db, the.person.id) };
  const opened = await perform(the.service, openApproval, caller, { signed });
  console.log(opened);
  console.log(await perform(the.service, approveApproval, caller, { signed, mark: opened.preview!.mark }));
  console.log(await asking.state(p!.id));
  const [lead] = await the.sql<{ id: string }>("SELECT id FROM store.lead");
  const id = lead!.id;
  await show("leads.update", { id, lead: { status: "contacted", city: "Recife" } });
  await show("leads.delete", { id });
  await show("timeline.add", { id, event: { type: "note", body: "hi", data: { text: "Called her" } } });
  await show("timeline.add", { id, event: { type: "note", title: "hi", data: { text: "Called her" } } });
  await show("leads.bulk", { op: "set", filter: { field: "name", op: "is_not_empty" }, expected_count: 1, set: { status: "won" } });
  await show("leads.bulk", { op: "create", items: [{ name: "B" }, { bad: 1 }] });
  const st = await asking.state(p!.id);
  await show("changes.undo", { id: st.change_id });
  const [other] = await the.sql<{ id: string }>("INSERT INTO store.lead (project_id, id, name, email, status) VALUES ($1, $2, 'Bia', 'bia@x.org', 'new') RETURNING id", [the.project.id, `lead_${"0".repeat(25)}1`]);
  await show("leads.merge", { id, with: other!.id });
  await show("datasets.create", { key: "visits", columns: [{ key: "at", type: "date" }] });
  await show("views.create", { name: "V", query: { filter: { field: "status", op: "is", value: "new" } } });
  console.log((await the.sql("SELECT count(*) FROM store.lead")), await the.sql("SELECT state, operation, title FROM store.approval"), await the.sql("SELECT count(*) FROM store.access_token WHERE approval_id IS NOT NULL"));
});
