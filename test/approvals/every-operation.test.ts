import assert from "node:assert/strict";
import { test } from "node:test";
import { APPROVABLE_NAMES, type ApprovableName } from "../../src/domain/approvals/approvable.ts";
import { world } from "../world.ts";
import { approvalPage, askingApplication } from "./support/asking.ts";

test("every operation that can be proposed is shown before it is done, and done as it was shown", async () => {
  await using the = await world({ alone: true });
  const [asking, person] = [await askingApplication(the), await the.signedIn()];
  const done: [ApprovableName, string][] = [];

  /** Proposes, approves, and returns what was done; `shown` is what the page and the application are told before. */
  const approve = async (operation: ApprovableName, input: object, shown: string) => {
    const proposal = await asking.propose(operation, input);
    const { records, total } = proposal.preview;
    const [record] = records;
    const told = new Set(records.map(({ kind, name }) => `${kind} ${name}`));
    assert.deepEqual([records.length, total], [told.size, told.size], `${operation} shows a record twice`);
    const page = await approvalPage(person, proposal.url);
    await page.decide("approve");
    const { state, outcome, change_id } = await asking.state(proposal.id);
    assert.equal(state, "done", `${operation}: ${JSON.stringify(outcome)}`);
    assert.equal(`${record?.kind} ${record?.name} ${record?.outcome}`, shown, operation);
    assert.match(page.text, new RegExp(`<bdi>${record?.name}</bdi>`));
    done.push([operation, shown]);
    const answer: Record<string, unknown> = { ...outcome, change_id };
    return answer;
  };
  const idOf = (outcome: Record<string, unknown>) => String(outcome.lead_id);

  const ana = idOf(
    await approve("leads.create", { lead: { name: "Ana", email: "ana@example.org" } }, "lead Ana created"),
  );
  const found = { lead: { email: "ana@example.org", city: "Natal" }, on_duplicate: "update" };
  assert.equal(idOf(await approve("leads.create_once", found, "lead Ana updated")), ana);
  const bia = idOf(
    await approve("leads.upsert", { lead: { name: "Bia", email: "bia@example.org" } }, "lead Bia created"),
  );
  const changed = await approve("leads.update", { id: bia, lead: { city: "Belém" } }, "lead Bia updated");
  await approve("changes.undo", { id: changed.change_id }, "lead Bia updated");
  await approve("leads.delete", { id: bia }, "lead Bia deleted");
  await approve("leads.restore", { id: bia }, "lead Bia restored");
  await approve("leads.bulk", { op: "tag_add", items: [{ id: bia }], tags: ["vip"] }, "lead Bia updated");
  await approve("timeline.add", { id: bia, event: { type: "call.made" } }, "lead Bia recorded");
  const events = [{ lead_id: ana, type: "note.added", title: "Hi" }];
  await approve("timeline.add_many", { events }, "lead Ana recorded");
  const merged = await approve("leads.merge", { id: ana, with: bia }, "lead Ana merged");
  await approve("leads.unmerge", { id: merged.merge_id }, "lead Ana merged");
  const columns = [{ key: "place", type: "text" }];
  await approve("datasets.create", { key: "visits", name: "Visits", columns }, "dataset Visits created");
  const written = await approve(
    "datasets.rows.write",
    { dataset: "visits", rows: [{ place: "Olinda" }] },
    "row Olinda created",
  );
  const [row] = written.results as { id: string }[];
  await approve("datasets.rows.delete", { dataset: "visits", ids: [row?.id] }, "row Olinda deleted");
  await approve("views.create", { name: "All leads", query: {} }, "view All leads created");

  const all = done.map(([name]) => name);
  assert.deepEqual(
    APPROVABLE_NAMES.filter((name) => !all.includes(name)),
    [],
  );
  const labels = await the.sql(
    "SELECT FROM store.change WHERE actor ->> 'label' <> 'Deal Finder, for Ada Moreira'",
  );
  assert.deepEqual(labels, [], "every change is the application's");
});
