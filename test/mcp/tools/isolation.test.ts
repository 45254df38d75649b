import assert from "node:assert/strict";
import { test } from "node:test";
import { LEADS } from "../../../src/surfaces/mcp/registry-of-leads.ts";
import { filled, type Ids, nobody, type Side } from "../../api/support/two-projects.ts";
import { contents } from "../../contents.ts";
import { Application, post } from "../../oauth/support/application.ts";
import { type World, world } from "../../world.ts";
import { Assistant, type ToolResult } from "../support/assistant.ts";
import { TOOL_USES, WRITING } from "../support/every-use.ts";
import { when } from "../support/using.ts";

interface Tried {
  /** Arguments that refer to things of a project by their ids. */
  named: (ids: Ids) => object;
  /** Arguments about the caller's own project. */
  own?: (side: Side) => object;
  /** False if the caller's own project has nothing to try it with. */
  tried?: false;
  /** Whether the answer to those contains the project's mark; false if it has no string of the project. */
  bears?: false | "perhaps";
}

const byId = (ids: Ids) => ({ id: ids.lead });
const lead = (ids: Ids) => ({ filter: when("id", "eq", ids.lead) });
const tags = { action: "add_tags", tags: ["x"] };

/** Tools that are tried with more than their use, or of which more is known. */
const OWN: Record<string, Tried> = {
  get_context: { named: () => ({}) },
  find_leads: { named: lead },
  list_changes: { named: (ids) => ({ lead: ids.lead }) },
  write_leads: {
    named: (ids) => ({ action: "update", leads: [{ id: ids.lead, city: "x" }] }),
    own: ({ ids }) => ({ action: "update", leads: [{ id: ids.lead, city: "y" }] }),
  },
  log_events: { named: (ids) => ({ events: [{ lead: ids.lead, type: "note.added" }] }) },
  merge_leads: { named: (ids) => ({ keep: ids.lead, merge: ids.other }), tried: false },
  undo: { named: () => ({ change_id: "chg_01kagx3m5w8q2r7t9v4c6d1f0h" }), tried: false },
  save_view: {
    named: (ids) => ({ name: "x", ...lead(ids) }),
    bears: false,
  },
  query_leads: { named: lead },
  get_lead: { named: byId },
  get_lead_timeline: { named: byId },
  summarize_leads: { named: lead, own: () => ({ group_by: ["company"] }) },
  find_duplicates: { named: byId },
  export_leads: { named: lead, bears: "perhaps" },
  list_datasets: { named: () => ({}) },
  read_dataset: { named: (ids) => ({ dataset: ids.dataset }) },
  search: { named: (ids) => ({ query: ids.lead }) },
  fetch: { named: byId },
  create_lead: {
    named: (ids) => ({ lead: { name: "x", owner_id: ids.person } }),
    own: ({ mark }) => ({ lead: { name: mark } }),
  },
  update_lead: { named: (ids) => ({ ...byId(ids), set: { city: "x" } }) },
  add_lead_event: {
    named: (ids) => ({ ...byId(ids), type: "note.added" }),
    own: ({ ids, mark }) => ({ ...byId(ids), type: "note.added", title: mark }),
  },
  bulk_update_leads: {
    named: (ids) => ({ ...lead(ids), ...tags }),
    own: ({ mark }) => ({ search: mark, ...tags }),
  },
  delete_lead: {
    named: (ids) => ({ ...byId(ids), confirm: true }),
    own: ({ ids }) => ({ id: ids.other, confirm: true }),
    bears: false,
  },
  write_dataset: {
    named: (ids) => ({ dataset: ids.dataset, mode: "insert", rows: [{ domain: "x" }] }),
    own: ({ ids, mark }) => ({ dataset: ids.dataset, mode: "upsert", rows: [{ domain: mark }] }),
    bears: false,
  },
};

/** Every tool that has a use; the others are tried with it. */
const TOOLS: Record<string, Tried> = {
  ...Object.fromEntries(
    Object.entries(TOOL_USES).map(([name, use]): [string, Tried] => [
      name,
      { named: (ids) => use({ ids, versions: { lead: 1, other: 1 } }), bears: "perhaps" },
    ]),
  ),
  ...OWN,
};

/** Returns an assistant of a member of this project. */
async function assistantIn(
  the: World,
  { ids, mark }: Side,
  scopes = ["mcp:read", "mcp:write"],
): Promise<{ assistant: Assistant; refresh: string }> {
  const person = await the.newPerson(mark);
  await the.join(person, ids.project, "owner");
  const app = await Application.register(the);
  const { access, refresh } = await app.tokens(await the.signedIn(person), {
    projectId: ids.project,
    scopes,
  });
  return { assistant: new Assistant(the, access), refresh };
}

/** Returns status and body, without what differs at each call. */
const told = async (answer: Response): Promise<string> =>
  `${answer.status} ${(await answer.text()).replaceAll(/(req|exp|view|chg)_\w+|\d{4}-\d\d-\d\dT[\d:.]+/g, "…")}`;

const call = (by: Assistant, name: string, args: object, headers = {}) =>
  by.ask("tools/call", { name, arguments: args }, headers);

/** Returns the rows of one project. */
const rowsOf = async (the: World, { ids }: Side): Promise<string[]> =>
  Object.values(await contents(the))
    .flat()
    .filter((row) => row.includes(ids.project));

test("no tool accepts a wrong credential, whatever its arguments: 401, and nothing happens", async () => {
  await using the = await world({ alone: true });
  const alder = await filled(the, "alder");
  const { refresh } = await assistantIn(the, alder);
  const names = LEADS.tools.map(({ name }) => name);
  assert.deepEqual(names.sort(), Object.keys(TOOLS).sort(), "every tool is tried here");
  const revoked = (await assistantIn(the, alder)).assistant.token;
  await post(the, "/api/oauth/revoke", { token: revoked });
  const expired = (await assistantIn(the, alder)).assistant.token;
  await the.sql(
    `UPDATE store.access_token SET expires_at = now() WHERE issued_at = (SELECT max(issued_at) FROM store.access_token)`,
  );
  const session = [...(await the.signedIn()).cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const before = await contents(the);
  for (const [name, { named, own = ({ ids }: Side) => named(ids) }] of Object.entries(TOOLS)) {
    for (const args of [own(alder), { nonsense: 1 }]) {
      for (const text of ["garbage", alder.key.text, refresh, revoked, expired]) {
        const heard = await told(await call(new Assistant(the, text), name, args));
        assert.match(heard, /^401 /, `${name} took ${text}`);
        assert.ok(!heard.includes(alder.mark));
      }
      for (const headers of [{ Authorization: undefined }, { Authorization: undefined, Cookie: session }]) {
        assert.match(await told(await call(new Assistant(the, ""), name, args, headers)), /^401 /, name);
      }
    }
  }
  assert.deepEqual(await contents(the), before);
});

test("a tool beyond the scopes of its token is 403 with the scopes to request, whatever its arguments", async () => {
  await using the = await world();
  const alder = await filled(the, "alder");
  const reader = (await assistantIn(the, alder, ["mcp:read"])).assistant;
  const writer = (await assistantIn(the, alder, ["mcp:write"])).assistant;
  const before = await contents(the);
  for (const [name, { named, own = ({ ids }: Side) => named(ids) }] of Object.entries(TOOLS)) {
    for (const args of [own(alder), { nonsense: 1 }]) {
      const answer = await call(WRITING.includes(name) ? reader : writer, name, args);
      assert.equal(answer.status, 403, `${name} ${JSON.stringify(args)}`);
      const challenge = answer.headers.get("www-authenticate") ?? "";
      assert.match(challenge, /error="insufficient_scope".*scope="mcp:read mcp:write"/);
      assert.ok(!(await told(answer)).includes(alder.mark));
    }
  }
  assert.deepEqual(await contents(the), before);
});

test("for every tool another project's things do not exist, and they stay unchanged", async () => {
  await using the = await world();
  const [alder, birch] = [await filled(the, "alder"), await filled(the, "birch")];
  const { assistant } = await assistantIn(the, alder);
  const other = (await assistantIn(the, birch)).assistant;
  const before = await rowsOf(the, birch);
  for (const [name, { named }] of Object.entries(TOOLS)) {
    const none = nobody();
    const anonymous = (text: string, ids: Ids) =>
      [ids.lead, ids.dataset, ids.person].reduce((rest, id) => rest.replaceAll(id, "…"), text);
    const theirs = anonymous(await told(await call(assistant, name, named(birch.ids))), birch.ids);
    const never = anonymous(await told(await call(assistant, name, named(none))), none);
    assert.equal(theirs, never, name);
    assert.ok(!theirs.includes(birch.mark), theirs);
  }
  for (const [by, mine, others] of [
    [assistant, alder, birch],
    [other, birch, alder],
  ] as const) {
    if (by === other) assert.deepEqual(await rowsOf(the, birch), before);
    for (const [
      name,
      { named, own = ({ ids }: Side) => named(ids), bears = true, tried = true },
    ] of Object.entries(TOOLS)) {
      if (!tried) continue;
      const result: ToolResult = await by.call(name, own(mine));
      const text = JSON.stringify(result);
      assert.ok(result.isError !== true, `${name} ${text}`);
      if (bears !== "perhaps") assert.equal(text.includes(mine.mark), bears, `${name} ${text}`);
      assert.ok(!text.includes(others.mark) && !text.includes(others.ids.project), `${name} ${text}`);
    }
  }
});
