import assert from "node:assert/strict";
import { test } from "node:test";
import { acted, ended, uploaded } from "../../imports/support/uploading.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Lead {
  id: string;
  city: string | null;
  do_not_contact: boolean;
}

/** A call that says that the lead may be contacted, and moves it to another city, with or without `clear_opt_out`. */
type Clearing = (key: KeyActor, lead: Lead, options: { clear_opt_out?: boolean }) => Promise<Response>;

const SET = { do_not_contact: false, city: "Natal" };
const bulk = (key: KeyActor, body: object) => key.send("POST", "/api/v1/leads/bulk", body);

const CALLS: Record<string, Clearing> = {
  "an upsert": (key, _, options) =>
    key.send("PUT", "/api/v1/leads/upsert", { lead: { external_id: "ana", ...SET }, ...options }),
  "an upsert that looks with locks": (key, _, options) =>
    key.send("PUT", "/api/v1/leads/upsert", {
      lead: { external_id: "ana", emails: ["ana@work.example"], ...SET },
      ...options,
    }),
  "a bulk upsert": (key, _, options) =>
    bulk(key, { op: "upsert", items: [{ external_id: "ana", ...SET }], ...options }),
  "a bulk update": (key, { id }, options) => bulk(key, { op: "update", items: [{ id, ...SET }], ...options }),
  "a bulk set": (key, { id }, options) => bulk(key, { op: "set", set: SET, items: [{ id }], ...options }),
  "a bulk set by filter": (key, _, options) => {
    const filter = { field: "name", op: "eq", value: "Ana" };
    return bulk(key, { op: "set", set: SET, filter, expected_count: 1, ...options });
  },
};

const PATH = "/api/v1/leads";
const WRITER = ["leads:read", "leads:write"] as const;

const made = async (key: KeyActor): Promise<Lead> =>
  await bodyOf<Lead>(
    await key.send("POST", PATH, { name: "Ana", external_id: "ana", city: "Recife", do_not_contact: true }),
    201,
  );
const stored = async (key: KeyActor, { id }: Lead) =>
  await bodyOf<Lead>(await key.send("GET", `${PATH}/${id}`));

/** Whether the answer, or its header, warns that the opt-out was kept, and how many leads it counts. */
async function toldIn(answer: Response): Promise<{ warned: boolean; kept: number | undefined }> {
  const text = await answer.text();
  assert.ok(answer.ok, text);
  const body = JSON.parse(text) as { opt_outs_kept?: number };
  const warned = `${text} ${answer.headers.get("x-leadgate-warning")}`.includes("opt_out_kept");
  return { warned, kept: body.opt_outs_kept };
}

for (const [name, clear] of Object.entries(CALLS))
  test(`${name} clears an opt-out only with clear_opt_out, and says where it kept one`, async () => {
    await using the = await world();
    const key = await the.key(WRITER);
    const lead = await made(key);
    const first = await toldIn(await clear(key, lead, {}));
    const isBulk = name.includes("bulk");
    const byFilter = name.includes("filter");
    assert.deepEqual(first, { warned: !byFilter, kept: isBulk ? 1 : undefined });
    const kept = await stored(key, lead);
    assert.deepEqual([kept.do_not_contact, kept.city], [true, "Natal"], "the rest is written");
    const second = await toldIn(await clear(key, lead, { clear_opt_out: true }));
    assert.deepEqual(second, { warned: false, kept: isBulk ? 0 : undefined });
    assert.equal((await stored(key, lead)).do_not_contact, false);
    // Setting one needs nothing.
    await bodyOf(await bulk(key, { op: "set", set: { do_not_contact: true }, items: [{ id: lead.id }] }));
    assert.equal((await stored(key, lead)).do_not_contact, true);
  });

test("a change of one lead clears its opt-out, and a merge keeps that of either lead", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const ana = await made(key);
  await bodyOf(await key.send("PATCH", `${PATH}/${ana.id}`, { do_not_contact: false }));
  assert.equal((await stored(key, ana)).do_not_contact, false);
  for (const prefer of ["this", "other", { do_not_contact: "this" }] as const) {
    const other = await bodyOf<Lead>(
      await key.send("POST", PATH, { name: "Bea", do_not_contact: true }),
      201,
    );
    const fresh = await bodyOf<Lead>(await key.send("POST", PATH, { name: "Ana" }), 201);
    const answer = await key.send("POST", `${PATH}/${fresh.id}/merge`, { with: other.id, prefer });
    if (typeof prefer === "object")
      assert.equal((await refusalOf(answer)).paths[0], "$.prefer.do_not_contact");
    else {
      await bodyOf(answer);
      assert.equal((await stored(key, fresh)).do_not_contact, true);
    }
  }
});

test("a key that may only create leads clears no opt-out and learns of none, and sets one", async () => {
  await using the: World = await world();
  const [key, form] = [await the.key(WRITER), await the.key(["leads:create"])];
  const lead = await made(key);
  const send = (options: object) =>
    form.send("PUT", "/api/v1/leads/upsert", {
      lead: { external_id: "ana", do_not_contact: false },
      ...options,
    });
  assert.equal((await refusalOf(await send({ clear_opt_out: true }))).status, 403);
  const answer = await send({});
  assert.ok(answer.ok, await answer.clone().text());
  assert.equal(answer.headers.get("x-leadgate-warning"), null);
  assert.equal((await stored(key, lead)).do_not_contact, true);
});

test("clear_opt_out is refused where nothing could be cleared", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const refused = await refusalOf(
    await bulk(key, { op: "create", items: [{ name: "Ana" }], clear_opt_out: true }),
  );
  assert.deepEqual([refused.status, refused.paths], [400, ["$.clear_opt_out"]]);
});

/** Something that sets the opt-out of a lead, and how it is undone; `told` is what the answer of the undo says of opt-outs. */
interface Undoing {
  act(the: World, key: KeyActor, lead: Lead): Promise<{ path: string; change: string }>;
  told(answer: UndoAnswer): unknown;
}

interface UndoAnswer {
  change_id: string | null;
  opt_outs_kept: number;
  records: { kept: { field: string; reason: string }[] }[];
  kept: string[];
}

const undoOf = (path: string) => ({ path: `/api/v1/${path}/undo`, change: path.replace("changes/", "") });
const changeIn = (answer: Response) => undoOf(`changes/${answer.headers.get("x-leadgate-change")}`);
const toldByUndo = ({ opt_outs_kept: kept, records }: UndoAnswer) => [
  kept,
  ...records.flatMap((record) => record.kept.map(({ field, reason }) => `${field} ${reason}`)),
];
const OUT = { do_not_contact: true, city: "Natal" };
const FILE = "external_id,do_not_contact,city\nana,true,Natal\n";

const UNDOINGS: Record<string, Undoing> = {
  "a change of one lead": {
    act: async (_, key, { id }) => changeIn(await key.send("PATCH", `${PATH}/${id}`, OUT)),
    told: toldByUndo,
  },
  "a bulk change": {
    act: async (_, key, { id }) => changeIn(await bulk(key, { op: "set", set: OUT, items: [{ id }] })),
    told: toldByUndo,
  },
  "an undo that set it again": {
    async act(_, key, { id }) {
      await bodyOf(await key.send("PATCH", `${PATH}/${id}`, { do_not_contact: true, city: "Natal" }));
      const { path } = changeIn(
        await key.send("PATCH", `${PATH}/${id}`, { do_not_contact: false, city: "Recife" }),
      );
      return changeIn(await key.send("POST", path, {}));
    },
    told: toldByUndo,
  },
  "all that somebody did": {
    async act(the, key, { id }) {
      await bodyOf(await key.send("PATCH", `${PATH}/${id}`, OUT));
      const [first] = await the.sql<{ id: string }>(
        "SELECT max(id) AS id FROM store.change WHERE lead_id = $1",
        [id],
      );
      return { path: "/api/v1/changes/undo", change: first?.id ?? "" };
    },
    told: toldByUndo,
  },
  "a merge": {
    async act(_, key, { id }) {
      const other = await bodyOf<Lead>(
        await key.send("POST", PATH, { name: "Bea", do_not_contact: true }),
        201,
      );
      return changeIn(await key.send("POST", `${PATH}/${id}/merge`, { with: other.id }));
    },
    told: toldByUndo,
  },
  "a merge by its own address": {
    async act(_, key, { id }) {
      const other = await bodyOf<Lead>(
        await key.send("POST", PATH, { name: "Bea", do_not_contact: true }),
        201,
      );
      const answer = await key.send("POST", `${PATH}/${id}/merge`, { with: other.id });
      return undoOf(`merges/${(await bodyOf<{ merge_id: string }>(answer)).merge_id}`);
    },
    told: ({ kept }) => kept,
  },
};

for (const [name, { act, told }] of Object.entries(UNDOINGS))
  test(`the undo of ${name} keeps the opt-out, says so, and clears it only with clear_opt_out`, async () => {
    await using the = await world();
    const key = await the.key(WRITER);
    const lead = await bodyOf<Lead>(
      await key.send("POST", PATH, { name: "Ana", external_id: "ana", city: "Recife" }),
      201,
    );
    const { path, change } = await act(the, key, lead);
    assert.equal((await stored(key, lead)).do_not_contact, true);
    const isMany = path === "/api/v1/changes/undo";
    const since = isMany
      ? {
          actor: "me",
          from: (await bodyOf<{ created_at: string }>(await key.send("GET", `/api/v1/changes/${change}`)))
            .created_at,
        }
      : {};
    const send = async (body: object) =>
      await bodyOf<UndoAnswer>(await key.send("POST", path, { ...since, ...body }));
    const isOwn = path.includes("merges");
    const kept = isOwn ? ["do_not_contact"] : [1, "do_not_contact opt_out"];
    if (!isOwn) {
      assert.deepEqual(told(await send({ dry_run: true })), kept);
      assert.deepEqual(told(await send({ dry_run: true, clear_opt_out: true })), [0]);
    }
    assert.deepEqual(told(await send({})), kept);
    const after = await stored(key, lead);
    assert.deepEqual([after.do_not_contact, after.city], [true, "Recife"], "the rest is put back");
    assert.deepEqual(told(await send({})), kept, "and again");
    assert.deepEqual(told(await send({ clear_opt_out: true })), isOwn ? [] : [0]);
    assert.equal((await stored(key, lead)).do_not_contact, false);
  });

test("the undo of an import, which is a job, keeps opt-outs, lists them, and clears them only with clear_opt_out", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const lead = await bodyOf<Lead>(
    await key.send("POST", PATH, { name: "Ana", external_id: "ana", city: "Recife" }),
    201,
  );
  const { id } = await uploaded(the, key, FILE);
  const { change_id: change } = await acted(key, id, "commit");
  assert.equal((await stored(key, lead)).do_not_contact, true);
  assert.equal((await acted(key, id, "undo")).undo?.left, 1);
  const left = await bodyOf(await key.send("GET", `/api/v1/imports/${id}/kept`));
  assert.deepEqual(left, {
    leads: [{ lead_id: lead.id, reason: "opt_out", fields: ["do_not_contact"] }],
    next_cursor: null,
  });
  const after = await stored(key, lead);
  assert.deepEqual([after.do_not_contact, after.city], [true, "Recife"]);
  await bodyOf(await key.send("POST", `/api/v1/changes/${change}/undo`, {}), 202);
  await ended(key, id);
  assert.equal((await stored(key, lead)).do_not_contact, true);
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/undo`, { clear_opt_out: true }), 202);
  assert.equal((await ended(key, id)).undo?.left, 0);
  assert.equal((await stored(key, lead)).do_not_contact, false);
});

test("the undo of an import through its change carries clear_opt_out to the job", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const lead = await bodyOf<Lead>(await key.send("POST", PATH, { external_id: "ana", city: "Recife" }), 201);
  const { id } = await uploaded(the, key, FILE);
  const { change_id: change } = await acted(key, id, "commit");
  await bodyOf(await key.send("POST", `/api/v1/changes/${change}/undo`, { clear_opt_out: true }), 202);
  await ended(key, id);
  assert.equal((await stored(key, lead)).do_not_contact, false);
});

test("an undo that deletes a lead, or sets an opt-out again, asks nothing", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const answer = await key.send("POST", PATH, { name: "Ana", do_not_contact: true });
  const { path } = changeIn(answer);
  const lead = await bodyOf<Lead>(answer, 201);
  const cleared = changeIn(await key.send("PATCH", `${PATH}/${lead.id}`, { do_not_contact: false }));
  assert.deepEqual(toldByUndo(await bodyOf(await key.send("POST", cleared.path, {}))), [0]);
  assert.equal((await stored(key, lead)).do_not_contact, true);
  const undone = await bodyOf<UndoAnswer & { counts: { deleted: number } }>(await key.send("POST", path, {}));
  assert.deepEqual([undone.counts.deleted, undone.opt_outs_kept], [1, 0]);
});

test("the reason for clearing an opt-out is kept with the change and on the timeline, without a trace in its undo, until the lead is erased", async () => {
  await using the = await world();
  const key = await the.key([...WRITER, "leads:erase"]);
  const lead = await made(key);
  const path = `${PATH}/${lead.id}`;
  const reason = "Asked by phone to get our offers again. \u{1f4de} 'quoted' \\ and \"double\"";
  const answer = await key.send("PATCH", path, {
    do_not_contact: false,
    city: "Natal",
    reason: ` ${reason} `,
  });
  const { change: id, path: undo } = changeIn(answer);
  assert.equal((await bodyOf<Lead>(answer)).do_not_contact, false);
  const aboutOf = async (change: string) =>
    (await bodyOf<{ about: object }>(await key.send("GET", `/api/v1/changes/${change}`))).about;
  assert.deepEqual(await aboutOf(id), { fields: ["city", "do_not_contact"], reason });
  const eventsOf = async () =>
    (
      await bodyOf<{ events: { type: string; data: { field: string; to: unknown; reason?: string } }[] }>(
        await key.send("GET", `${path}/events?types=lead.updated`),
      )
    ).events.map(({ data: { field, to, reason: why } }) => [field, to, why]);
  assert.deepEqual(await eventsOf(), [
    ["do_not_contact", false, reason],
    ["city", "Natal", undefined],
  ]);
  const { change: undone } = changeIn(await key.send("POST", undo, {}));
  assert.deepEqual(await aboutOf(undone), { fields: ["city", "do_not_contact"] });
  assert.deepEqual((await eventsOf())[0], ["do_not_contact", true, undefined]);
  await bodyOf(
    await key.send("POST", "/api/v1/people/erase", { email: "ana@example.org", expected_leads: 0 }),
  );
  assert.deepEqual(await aboutOf(id), { fields: ["city", "do_not_contact"], reason }, "another person");
  const erased = await key.send("DELETE", `${path}?erase=true`);
  assert.ok(erased.ok, await erased.text());
  assert.deepEqual(await aboutOf(id), { fields: ["city", "do_not_contact"] });
});

test("a reason is refused without do_not_contact, empty, too long or no text, and by every other write", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const lead = await made(key);
  const patch = async (body: object) => await refusalOf(await key.send("PATCH", `${PATH}/${lead.id}`, body));
  for (const [body, message] of [
    [{ city: "Natal", reason: "Why not" }, /do_not_contact/],
    [{ do_not_contact: false, reason: "" }, /reason/],
    [{ do_not_contact: false, reason: "  " }, /reason/],
    [{ do_not_contact: false, reason: "x".repeat(501) }, /reason/],
    [{ do_not_contact: false, reason: 5 }, /reason/],
    [{ do_not_contact: false, reason: "\0" }, /reason/],
  ] as const) {
    const refused = await patch(body);
    assert.deepEqual([refused.status, refused.paths], [400, ["$.reason"]], JSON.stringify(body).slice(0, 80));
    assert.match(refused.message, message);
  }
  const given = { do_not_contact: true, reason: "Why not" };
  assert.equal((await refusalOf(await key.send("POST", PATH, given))).status, 400);
  assert.equal(
    (await refusalOf(await bulk(key, { op: "set", set: given, items: [{ id: lead.id }] }))).status,
    400,
  );
  assert.equal((await stored(key, lead)).do_not_contact, true);
});
