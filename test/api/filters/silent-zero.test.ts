import assert from "node:assert/strict";
import { test } from "node:test";
import { keeper, make } from "../../datasets/support/dataset.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";
import { writer } from "../support/writing.ts";

interface Warning {
  path: string;
  code: string;
  message: string;
}

const warningsOf = (answer: Response): Warning[] =>
  JSON.parse(answer.headers.get("x-leadgate-warning") ?? "[]") as Warning[];

/** A project with a won and a new lead, and a custom field with options. */
async function project(the: World): Promise<{ key: KeyActor; won: string; fresh: string }> {
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type, options) VALUES ($1, 'education', 'Education', 'enum', $2)",
    [the.project.id, ["primary", "secondary", "Tertiary é"]],
  );
  const [won = "", fresh = ""] = await addLeads(the, [
    { status: "won", custom: { education: "secondary" } },
    { status: "new", custom: { education: "Tertiary é" } },
  ]);
  return { key: await writer(the), won, fresh };
}

const countOf = async (key: KeyActor, filter: object): Promise<number> =>
  (await bodyOf<{ count: number }>(await key.send("POST", "/api/v1/leads/count", { filter }))).count;

const NOPE = { field: "status", op: "eq", value: "nope" };

test("a value of a field with options is compared without case and accents", async () => {
  await using the = await world();
  const { key, won, fresh } = await project(the);
  const cases: [filter: object, found: string[]][] = [
    [{ field: "status", op: "eq", value: "Won" }, [won]],
    [{ field: "status", op: "in", value: ["WON", " new "] }, [fresh, won]],
    [{ field: "status", op: "neq", value: "WON" }, [fresh]],
    [{ field: "status", op: "not_in", value: ["Won", "New"] }, []],
    [{ field: "custom.education", op: "eq", value: "Secondary" }, [won]],
    [{ field: "custom.education", op: "eq", value: "tertiary e" }, [fresh]],
    [{ not: { field: "custom.education", op: "eq", value: "SECONDARY" } }, [fresh]],
  ];
  for (const [filter, found] of cases) {
    const answer = await key.query({ filter });
    assert.deepEqual(warningsOf(answer), []);
    assert.deepEqual(idsOf(await pageOf(answer)).sort(), [...found].sort(), JSON.stringify(filter));
    assert.equal(await countOf(key, filter), found.length, JSON.stringify(filter));
  }
});

test("of two options that differ in case only, each finds its own leads, and any other spelling both", async () => {
  await using the = await world();
  const key = await writer(the);
  await the.sql("UPDATE store.project SET statuses = '{Won,won}' WHERE project_id = $1", [the.project.id]);
  await addLeads(the, [{ status: "won" }, { status: "Won" }]);
  for (const [value, count] of [
    ["won", 1],
    ["Won", 1],
    ["WON", 2],
  ] as const)
    assert.equal(await countOf(key, { field: "status", op: "eq", value }), count, value);
});

test("a value that is no option is 400 everywhere under /api/v1, with its path and the options, the nearest first", async () => {
  await using the = await world();
  const { key } = await project(the);
  const filter = {
    or: [
      { field: "score", op: "gt", value: 1 },
      { field: "custom.education", op: "in", value: ["primary", "secundary"] },
    ],
  };
  const calls: [method: string, url: string, body: object][] = [
    ["POST", "/api/v1/leads/search", { filter }],
    ["POST", "/api/v1/leads/count", { filter }],
    ["POST", "/api/v1/leads/aggregate", { filter }],
    ["POST", "/api/v1/leads/response-times", { filter }],
    ["POST", "/api/v1/exports", { filter }],
    ["POST", "/api/v1/leads/bulk", { op: "delete", filter, dry_run: true }],
    ["POST", "/api/v1/leads/bulk", { op: "delete", filter, expected_count: 20_000 }],
  ];
  for (const [method, url, body] of calls) {
    const { status, code, message, paths } = await refusalOf(await key.send(method, url, body));
    assert.deepEqual([status, code, paths], [400, "unknown_option", ["$.filter.or[1].value[1]"]], url);
    assert.match(message, /"secundary" is not an option of custom\.education; the options are "secondary", /);
  }
  for (const op of ["eq", "neq"]) {
    const refusal = await refusalOf(
      await key.send("POST", "/api/v1/leads/search", { filter: { ...NOPE, op } }),
    );
    assert.deepEqual([refusal.status, refusal.paths], [400, ["$.filter.value"]]);
  }
  const validation = await bodyOf<{ valid: boolean; errors: Warning[] }>(
    await key.send("POST", "/api/v1/leads/filters/validate", { filter: NOPE }),
  );
  assert.deepEqual([validation.valid, validation.errors[0]?.code], [false, "unknown_option"]);
});

test("an option that was removed while some lead still has it finds that lead", async () => {
  await using the = await world();
  const { key, won } = await project(the);
  await the.sql("UPDATE store.project SET statuses = '{new,lost}' WHERE project_id = $1", [the.project.id]);
  await the.sql("UPDATE store.custom_field SET options = '{primary}' WHERE project_id = $1", [
    the.project.id,
  ]);
  for (const filter of [
    { field: "status", op: "eq", value: "won" },
    { field: "custom.education", op: "eq", value: "secondary" },
  ]) {
    const { leads } = await bodyOf<{ leads: { id: string }[] }>(
      await key.send("POST", "/api/v1/leads/search", { filter }),
    );
    assert.deepEqual(
      leads.map(({ id }) => id),
      [won],
    );
    assert.deepEqual(warningsOf(await key.query({ filter })), []);
  }
});

test("the endpoints without a version keep answering, and a header says what finds nothing", async () => {
  await using the = await world();
  const { key, won, fresh } = await project(the);
  const answer = await key.query({ filter: NOPE });
  assert.deepEqual(
    warningsOf(answer).map(({ path, code }) => [path, code]),
    [["$.filter.value", "unknown_option"]],
  );
  assert.deepEqual(idsOf(await pageOf(answer)), []);
  const all = await key.query({ filter: { ...NOPE, op: "neq" } });
  assert.equal(warningsOf(all).length, 1);
  assert.deepEqual(idsOf(await pageOf(all)).sort(), [won, fresh].sort());
  const exported = await key.send("POST", "/api/leads/export/", {
    project_id: the.project.id,
    filter: NOPE,
    columns: ["id"],
  });
  assert.equal(warningsOf(exported)[0]?.code, "unknown_option");
  assert.equal(await exported.text(), "id\n");
  assert.equal((await key.query({})).headers.get("x-leadgate-warning"), null);
});

test("a warning is printable ASCII of bounded size, whatever the values are called", async () => {
  await using the = await world();
  const { key } = await project(the);
  const evil = `é"\r\nSet-Cookie: a=b\u2028😀`;
  const value = [evil, ...Array.from({ length: 500 }, (_, n) => `nope ${n} ${"é".repeat(200)}`)];
  const answer = await key.query({ filter: { field: "status", op: "in", value } });
  const header = answer.headers.get("x-leadgate-warning") ?? "";
  assert.match(header, /^[ -~]{1,2000}$/);
  assert.equal(answer.headers.get("set-cookie"), null);
  const [first] = warningsOf(answer);
  assert.ok(first?.message.startsWith(JSON.stringify(evil)));
});

test("a saved view never fails for an option that was removed: it answers and warns, and can still be changed", async () => {
  await using the = await world();
  const { key, fresh } = await project(the);
  const made = await key.send("POST", "/api/v1/views", {
    name: "Hot",
    query: { filter: { or: [{ field: "status", op: "in", value: ["lost", "new"] }] } },
  });
  const { id } = await bodyOf<{ id: string }>(made, 201);
  await the.sql("UPDATE store.project SET statuses = '{new,won}' WHERE project_id = $1", [the.project.id]);
  const found = await key.send("POST", "/api/v1/leads/search", { filter: { view: id } });
  const warnings = warningsOf(found);
  assert.deepEqual(
    warnings.map(({ path }) => path),
    ["$.filter.view.or[0].value[0]"],
  );
  assert.match(
    warnings[0]?.message ?? "",
    /"lost" is not an option of status \(in the view "Hot"\); the options are /,
  );
  const { leads } = await bodyOf<{ leads: { id: string }[] }>(found);
  assert.deepEqual(
    leads.map((lead) => lead.id),
    [fresh],
  );

  const path = `/api/v1/views/${id}`;
  const filter = { field: "status", op: "in", value: ["lost", "won"] };
  const kept = await key.send("PATCH", path, { query: { filter, fields: ["name"] } });
  assert.equal(warningsOf(kept)[0]?.path, "$.query.filter.value[0]");
  await bodyOf(kept);
  await bodyOf(await key.send("PATCH", path, { name: "Cold" }));
  const other = { ...filter, value: ["lost", "nope"] };
  const { status, paths } = await refusalOf(await key.send("PATCH", path, { query: { filter: other } }));
  assert.deepEqual([status, paths], [400, ["$.query.filter.value[1]"]]);
  const saved = await refusalOf(
    await key.send("POST", "/api/v1/views", { name: "New", query: { filter: NOPE } }),
  );
  assert.deepEqual([saved.status, saved.paths], [400, ["$.query.filter.value"]]);
});

test("a wrong value of the caller is refused, however many removed options a view before it has", async () => {
  await using the = await world({ alone: true });
  const { key } = await project(the);
  const removed = Array.from({ length: 25 }, (_, n) => `old ${n}`);
  await the.sql("UPDATE store.project SET statuses = $1::text[] || '{new,won}'::text[]", [removed]);
  const made = await key.send("POST", "/api/v1/views", {
    name: "Old",
    query: { filter: { field: "status", op: "in", value: removed } },
  });
  const { id } = await bodyOf<{ id: string }>(made, 201);
  await the.sql("UPDATE store.project SET statuses = '{new,won}'");
  const filter = { and: [{ view: id }, NOPE] };
  const { status, code, paths } = await refusalOf(await key.send("POST", "/api/v1/leads/search", { filter }));
  assert.deepEqual([status, code, paths], [400, "unknown_option", ["$.filter.and[1].value"]]);
  const [first] = warningsOf(await key.query({ filter }));
  assert.equal(first?.path, "$.filter.and[1].value");
});

test("an unknown option inside a condition on a dataset's rows is refused with its path", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  const where = { field: "tier", op: "eq", value: "golden" };
  const filter = { dataset: { key: "companies", where } };
  const { status, code, paths } = await refusalOf(await key.send("POST", "/api/v1/leads/search", { filter }));
  assert.deepEqual([status, code, paths], [400, "unknown_option", ["$.filter.dataset.where.value"]]);
});

test("an event type that the project has never seen is a warning that names the nearest types", async () => {
  await using the = await world();
  const { key, won } = await project(the);
  for (const [n, type] of ["email.opened", "email.sent", "call.made"].entries())
    await the.sql(
      "INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title) VALUES ($1, $2, $3, $4, now(), $4)",
      [the.project.id, `evt_${n}`, won, type],
    );
  const of = (type: string | string[], more: object = {}) => ({ and: [{ event: { type, ...more } }] });
  const cases: [filter: object, warned: RegExp[]][] = [
    [of("email.opened"), []],
    [of("email.*"), []],
    [of("email.opened", { occurred: { op: "before", value: "2000-01-01" } }), []],
    [of("email_opened"), [/no event of the type "email_opened"; the nearest types are "email\.opened", /]],
    [of("mail.*", { count: { op: "eq", value: 0 } }), [/"mail\.\*"; the nearest types are "email\./]],
    [of(["email.opened", "emial.sent"]), [/"emial\.sent"; the nearest types are "email\.sent", /]],
  ];
  for (const url of ["/api/v1/leads/search", "/api/leads/query/"])
    for (const [filter, warned] of cases) {
      const body = url.includes("v1") ? { filter } : { filter, project_id: the.project.id };
      const answer = await key.send("POST", url, body);
      await bodyOf(answer);
      const warnings = warningsOf(answer);
      assert.equal(warnings.length, warned.length, JSON.stringify([filter, warnings]));
      for (const [i, pattern] of warned.entries()) {
        assert.match(warnings[i]?.message ?? "", pattern);
        assert.deepEqual(
          [warnings[i]?.path, warnings[i]?.code],
          ["$.filter.and[0].event.type", "unseen_event_type"],
        );
      }
    }
  const times = await key.send("POST", "/api/v1/leads/response-times", { types: ["call.maid"] });
  assert.match(warningsOf(times)[0]?.message ?? "", /the nearest types are "call\.made"/);
  const validated = await bodyOf<{ warnings: Warning[] }>(
    await key.send("POST", "/api/v1/leads/filters/validate", { filter: of("email_opened") }),
  );
  assert.equal(validated.warnings[0]?.code, "unseen_event_type");
});
