import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, refusalOf } from "../api/support/v1.ts";
import { COMPANIES } from "../datasets/support/dataset.ts";
import { IMPORTER } from "../datasets/support/importing.ts";
import { type KeyActor, world } from "../world.ts";
import { leadsOf } from "./support/importing.ts";
import { acted, type ImportBody, openQuestions, send, sums, uploaded } from "./support/uploading.ts";

const WRITER = ["leads:read", "leads:write"] as const;

const ASKING =
  "Nome;E-mail;Telefone;Celular;Criado em\nAna;ana@x.example;1133441122;11987653300;03/09/2026\n";

const answer = (key: KeyActor, id: string, answers: object): Promise<Response> =>
  key.send("PUT", `/api/v1/imports/${id}/answers`, answers);

const asked = ({ questions }: ImportBody) =>
  Object.fromEntries(questions.map(({ id, answer: choice, answered_in: from }) => [id, [choice, from]]));

test("an answer changes the mapping and unblocks; one that is no choice is refused with its path and changes nothing", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const made = await uploaded(the, key, ASKING);
  assert.deepEqual(openQuestions(made), ["date_order:Criado em"]);
  const early = await refusalOf(await key.send("POST", `/api/v1/imports/${made.id}/dry-run`));
  assert.deepEqual([early.status, early.code], [409, "ambiguous_dates"]);
  for (const [answers, code, path] of [
    [{ nothing: "dmy" }, "unknown_question", "$.nothing"],
    [{ "date_order:Criado em": "ymd" }, "unknown_choice", "$.date_order:Criado em"],
  ] as const) {
    const wrong = await refusalOf(await answer(key, made.id, { main_phone: "Telefone", ...answers }));
    assert.deepEqual([wrong.status, wrong.paths], [400, [path]], code);
  }
  const given = { "date_order:Criado em": "dmy", main_phone: "Telefone" };
  const answered = await bodyOf<ImportBody>(await answer(key, made.id, given));
  assert.deepEqual(answered.mapping.columns, {
    ...{ Nome: "name", "E-mail": "email", Telefone: "phone", Celular: "phones" },
    "Criado em": { field: "created_at", dates: "dmy" },
  });
  assert.deepEqual(openQuestions(answered), []);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [1, 1, 0, 0, 0, 0]);
  const late = await refusalOf(await answer(key, made.id, given));
  assert.deepEqual([late.status, late.code], [409, "wrong_state"]);
});

test("answers are taken over for files with the same columns of the same project, which says from where; a mapping overrules them", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const first = await uploaded(the, key, ASKING);
  await bodyOf(await answer(key, first.id, { "date_order:Criado em": "dmy", main_phone: "Telefone" }));
  const again = await uploaded(the, key, ASKING.replaceAll("ana", "bia"));
  assert.deepEqual(asked(again), {
    "date_order:Criado em": ["dmy", first.id],
    main_phone: ["Telefone", first.id],
  });
  const { columns } = again.mapping;
  const mapped = await bodyOf<ImportBody>(
    await key.send("PUT", `/api/v1/imports/${again.id}/mapping`, {
      columns: { ...columns, "Criado em": "created_at" },
    }),
  );
  assert.deepEqual(openQuestions(mapped), ["date_order:Criado em"]);
  const third = await uploaded(the, key, ASKING.replaceAll("ana", "cia"));
  assert.deepEqual(asked(third)["date_order:Criado em"], ["dmy", first.id]);
  const other = await the.newProject(the.person, "Other");
  const elsewhere = await uploaded(the, await the.key(WRITER, other.id), ASKING);
  assert.deepEqual(asked(elsewhere), { "date_order:Criado em": [null, null], main_phone: [null, null] });
});

test("an answer about reading reads the file again, and is taken over with its choices", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const file = "Contatos;;\nNome;E-mail;Cidade\nAna;ana@x.example;Rio\n\nTotal;1;\n";
  const made = await uploaded(the, key, file);
  assert.deepEqual([made.file.header_row, made.file.rows], [2, 3]);
  const read = await bodyOf<ImportBody>(await answer(key, made.id, { "rows:footer": "import" }));
  assert.deepEqual(asked(read)["rows:footer"], ["import", null]);
  const first = await bodyOf<ImportBody>(await answer(key, made.id, { header_row: "1" }));
  assert.equal(first.file.header_row, 1);
  const back = await bodyOf<ImportBody>(
    await answer(key, made.id, { header_row: "2", "rows:footer": "leave_out" }),
  );
  assert.deepEqual(back.mapping.columns, { Nome: "name", "E-mail": "email", Cidade: "city" });
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [3, 1, 0, 0, 2, 0]);
});

test("a key that may not read sees the questions without a cell, and answers them", async () => {
  await using the = await world();
  const key = await the.key(["leads:write"]);
  const file = "email,status,created_at\nsecret@x.example,Hidden word,01/02/2026\n";
  const made = await uploaded(the, key, file);
  assert.doesNotMatch(JSON.stringify(made), /Hidden|secret|01\/02/);
  assert.deepEqual(openQuestions(made), ["date_order:created_at"]);
  const answered = await bodyOf<ImportBody>(await answer(key, made.id, { "date_order:created_at": "mdy" }));
  assert.deepEqual(openQuestions(answered), []);
  const refused = await refusalOf(await answer(key, made.id, { "date_order:created_at": "ymd" }));
  assert.equal(refused.status, 400);
});

test("a file of dataset rows asks as well; one call takes what applies where nobody can be asked, or is refused", async () => {
  await using the = await world();
  const key = await the.key([...IMPORTER, ...WRITER]);
  const dataset = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/datasets", COMPANIES), 201);
  const file = "domain,Name,NAME\na.example,One,Two\n";
  const made = await uploaded(the, key, file, { query: `?dataset=${dataset.id}` });
  assert.deepEqual(openQuestions(made), ["two_columns:name"]);
  const chosen = await bodyOf<ImportBody>(await answer(key, made.id, { "two_columns:name": "NAME" }));
  assert.deepEqual(chosen.mapping.columns, { domain: "domain", NAME: "name" });
  const once = await fetch(`${the.baseUrl}/api/datasets/${dataset.id}/import/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "text/csv" },
    body: "domain,NAME,Name\nb.example,Three,Four\n",
  });
  const { questions } = await bodyOf<ImportBody>(once, 202);
  assert.deepEqual(
    questions.map(({ id, blocking, default: usual }) => [id, blocking, usual]),
    [["two_columns:name", false, "NAME"]],
  );
});

test("only new leads, or only known ones, are written where that is chosen; an opt-out always is", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  await bodyOf(await key.send("POST", "/api/v1/leads", { email: "old@x.example", name: "Old" }), 201);
  const file = "email,name,Unsubscribed\nold@x.example,Changed,yes\nfresh@x.example,Fresh,no\n";
  const written = async (mode: string) => {
    const { id, mapping } = await uploaded(the, key, file);
    const put = await key.send("PUT", `/api/v1/imports/${id}/mapping`, { ...mapping, mode });
    const { questions } = await bodyOf<ImportBody>(put);
    assert.deepEqual(
      questions.map(({ kind }) => kind),
      ["opt_out"],
      "how rows are written is no answer to a question",
    );
    const counts = sums((await acted(key, id, "dry-run")).dry_run ?? {});
    assert.deepEqual(sums(await acted(key, id, "commit")), counts);
    const leads = (await leadsOf(the)).map(({ email, name, do_not_contact: out }) => [email, name, out]);
    return [counts, leads];
  };
  assert.deepEqual(await written("update"), [[2, 0, 1, 0, 1, 0], [["old@x.example", "Changed", true]]]);
  await the.sql("UPDATE store.lead SET do_not_contact = false, name = 'Old' WHERE project_id = $1", [
    the.project.id,
  ]);
  assert.deepEqual(await written("insert"), [
    [2, 1, 1, 0, 0, 0],
    [
      ["fresh@x.example", "Fresh", false],
      ["old@x.example", "Old", true],
    ],
  ]);
});

test("a JSON array is sent as such, and a form says which row has the names", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const json = JSON.stringify([{ email: "a@x.example", field_data: [{ name: "city", values: ["Rio"] }] }]);
  const made = await uploaded(the, key, json, { type: "application/json" });
  assert.deepEqual([made.file.format, made.mapping.columns], ["json", { email: "email", city: "city" }]);
  const form = new FormData();
  form.append("header_row", "3");
  form.append("encoding", "Latin1");
  form.append("file", new Blob(["x,y\n1,2\nemail,city\nb@x.example,Rio\n"]), "list.csv");
  const sent = await fetch(`${the.baseUrl}/api/v1/imports`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}` },
    body: form,
  });
  const { file } = await bodyOf<ImportBody>(sent, 201);
  assert.deepEqual([file.header_row, file.rows, file.encoding], [3, 1, "windows-1252"]);
  const wrong = await refusalOf(await send(the, key, "email\n", { query: "?encoding=klingon" }));
  assert.deepEqual([wrong.status, wrong.paths], [400, ["$.encoding"]]);
});
