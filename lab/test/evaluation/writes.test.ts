import assert from "node:assert/strict";
import { test } from "node:test";
import { becomeOne, changed, created, event, tagged } from "../../eval/mcp/check/expected.ts";
import { type Expectation, judge } from "../../eval/mcp/check/judge.ts";
import { asks, number } from "../../eval/mcp/check/needs.ts";
import { type Write, writesOf } from "../../eval/mcp/check/writes.ts";

const lead = (id: string, more: object = {}) => ({
  ...{ id, name: "Ana", status: "Novo", phone: null, tags: [], merged_into_id: null, deleted_at: null },
  ...more,
});
const from = (before: object | null, after: object | null, table = "lead") => ({
  ...{ table, before: before as Record<string, unknown> | null },
  after: after as Record<string, unknown> | null,
});
const whats = (writes: readonly Write[]) => writes.map(({ what, id }) => `${what} ${id}`);

test("what was written is named as a person would, without what the service adds to it", () => {
  const note = { id: "evt_1", lead_id: "a", type: "note.added", title: "Note", data: { text: "hello" } };
  const table: [string, ReturnType<typeof from>[], string[]][] = [
    ["a new lead", [from(null, lead("a"))], ["lead.created a"]],
    ["created and deleted again", [from(null, lead("a", { deleted_at: "now" }))], []],
    ["a change", [from(lead("a"), lead("a", { status: "Ganho" }))], ["lead.changed a"]],
    ["deleted", [from(lead("a"), lead("a", { deleted_at: "now" }))], ["lead.deleted a"]],
    ["restored", [from(lead("a", { deleted_at: "then" }), lead("a"))], ["lead.restored a"]],
    [
      "restored and changed",
      [from(lead("a", { deleted_at: "then" }), lead("a", { status: "Ganho" }))],
      ["lead.restored a", "lead.changed a"],
    ],
    [
      "merged",
      [
        from(lead("b"), lead("b", { merged_into_id: "a", deleted_at: "now" })),
        from(lead("a"), lead("a", { phone: "1" })),
        from({ ...note, lead_id: "b", merged_from: null }, { ...note, merged_from: "b" }, "event"),
        from(null, { id: "mrg_1" }, "merge"),
        from(null, { id: "chg_1", kind: "lead.merge" }, "change"),
      ],
      ["lead.merged b"],
    ],
    ["separated", [from(lead("b", { merged_into_id: "a" }), lead("b"))], ["lead.unmerged b"]],
    ["a note", [from(null, note, "event")], ["event.added evt_1"]],
    ["an event of the service", [from(null, { ...note, type: "lead.updated" }, "event")], []],
    ["a view", [from(null, { id: "view_1", name: "Hot" }, "saved_view")], ["view.created view_1"]],
    ["a status", [from({ statuses: ["a"] }, { statuses: ["a", "b"] }, "project")], ["project.changed "]],
    [
      "a member",
      [from(null, { person_id: "per_1", role: "editor" }, "membership")],
      ["membership.created per_1"],
    ],
    ["an erased lead", [from(lead("a"), null)], ["lead.erased a"]],
  ];
  for (const [name, differences, writes] of table)
    assert.deepEqual(whats(writesOf(differences)), writes, name);
});

const write = (what: string, id: string, fields: Record<string, unknown> = {}): Write => ({
  ...{ what, id, lead: id, fields },
});

test("exactly the expected writes are right: one more is a wrong write, one less is not everything", () => {
  const status = { needs: [number(2)], writes: changed(["a", "b"], { status: "Ganho" }) };
  const [one, two] = ["a", "b"].map((id) => write("lead.changed", id, { status: "Ganho" })) as [Write, Write];
  const merge = { needs: [], writes: [becomeOne(["a", "b", "c"])] };
  const merged = (id: string, into: string) => write("lead.merged", id, { into });
  const phone = { needs: [], writes: changed(["a"], { phone: "(81) 99876-1020" }) };
  const guest = { needs: [], writes: [created("ana@a.example", { name: "Ana", tag: "fair" })] };
  const fresh = (fields: object) =>
    write("lead.created", "n", { email: "ana@a.example", name: "ANA", ...fields });
  const table: [string, Expectation, string, Write[], string][] = [
    ["all of it", status, "2 done", [one, two], "right"],
    ["written, not said", status, "Done.", [one, two], "partly"],
    ["one is missing", status, "2 done", [one], "partly"],
    ["said, not written", status, "2 done", [], "wrong"],
    ["given up", status, "I cannot do that.", [], "stopped"],
    ["no answer", status, " ", [], "stopped"],
    ["something else", status, "Done.", [], "wrong"],
    [
      "another lead too",
      status,
      "2 done",
      [one, two, write("lead.changed", "c", { status: "Ganho" })],
      "wrong_write",
    ],
    [
      "another field too",
      status,
      "2 done",
      [one, { ...two, fields: { status: "Ganho", city: "X" } }],
      "wrong_write",
    ],
    ["another value", status, "2 done", [one, { ...two, fields: { status: "Novo" } }], "wrong_write"],
    ["twice", status, "2 done", [one, two, two], "wrong_write"],
    ["a write where none is asked for", { needs: [asks] }, "Which?", [one], "wrong_write"],
    ["a question", { needs: [asks] }, "Which?", [], "right"],
    ["what must not be said", { needs: [asks], never: [number(3)] }, "Which of 3?", [], "wrong"],
    ["three become one", merge, "Done", [merged("b", "a"), merged("c", "a")], "right"],
    ["whoever survives", merge, "Done", [merged("a", "c"), merged("b", "c")], "right"],
    ["a namesake too", merge, "Done", [merged("b", "a"), merged("c", "a"), merged("d", "a")], "wrong_write"],
    ["into a namesake", merge, "Done", [merged("a", "d"), merged("b", "d")], "wrong_write"],
    [
      "a phone in another form",
      phone,
      "Done",
      [write("lead.changed", "a", { phone: "+55 81 99876-1020", phone_e164: "+5581998761020" })],
      "right",
    ],
    [
      "another phone",
      phone,
      "Done",
      [write("lead.changed", "a", { phone: "(81) 99876-1021" })],
      "wrong_write",
    ],
    ["a new lead", guest, "Done", [fresh({ tags: ["Fair"], city: "X" })], "right"],
    ["without its tag", guest, "Done", [fresh({})], "wrong_write"],
  ];
  for (const [name, expectation, answer, writes, verdict] of table) {
    const judged = judge(expectation, { answer, writes, exports: [], changes: [] });
    assert.equal(judged.verdict, verdict, `${name}: ${judged.faults}`);
    assert.equal(judged.faults.length === 0, verdict === "right", name);
  }
});

test("a tag is added without touching others, and a note is compared by its words", () => {
  const expectation = {
    needs: [],
    writes: [...tagged(["a"], "win-back"), ...event(["a"], /^note\.added$/, /webinar/)],
  };
  const note = (text: string) => write("event.added", "a", { type: "note.added", data: { text } });
  const tag = (fields: object) => write("lead.changed", "a", { tags: ["vip", "win-back"], ...fields });
  const verdict = (writes: Write[]) =>
    judge(expectation, { answer: "Done", writes, exports: [], changes: [] }).verdict;
  assert.equal(verdict([tag({}), note("Joined the WEBINAR")]), "right");
  assert.equal(verdict([tag({ status: "Novo" }), note("Joined the webinar")]), "wrong_write");
  assert.equal(verdict([tag({}), note("Called")]), "wrong_write");
});
