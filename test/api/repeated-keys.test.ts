import assert from "node:assert/strict";
import { test } from "node:test";
import { type World, world } from "../world.ts";

const send = async (the: World, url: string, text: string, key?: string) => {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    },
    body: text,
  });
  return { status: answer.status, text: await answer.text(), the };
};

test("a repeated key in a JSON body is refused with its path, however it is written; neither value is used", async () => {
  await using the = await world({ alone: true });
  const { text: key } = await the.key(["leads:read", "leads:write"]);
  const filter = '{"field":"name","op":"eq","value":"a"}';
  const bodies: [string, string][] = [
    [`{"filter":${filter},"filter":{"and":[]}}`, "$.filter"],
    [
      `{"filter":{"and":[${filter},{"field":"name","op":"eq","\\u006fp":"neq","value":"x"}]}}`,
      "$.filter.and[1].op",
    ],
    [`{"limit":1 , "sort":[{"field":"id"},{"field":"id","dir":"asc",\n"dir"\t:"desc"}]}`, "$.sort[1].dir"],
  ];
  for (const [body, path] of bodies) {
    const heard = await send(the, `${the.baseUrl}/api/v1/leads/search`, body, key);
    assert.equal(heard.status, 400, heard.text);
    const { error } = JSON.parse(heard.text) as { error: { code: string; details: { path: string }[] } };
    assert.deepEqual([error.code, error.details.map((each) => each.path)], ["repeated_key", [path]]);
  }
  const current = `{"project_id":"prj_x","project_id":"${the.project.id}"}`;
  const old = await send(the, `${the.baseUrl}/api/leads/query/`, current, key);
  assert.equal(old.status, 400, old.text);
  assert.equal((JSON.parse(old.text) as { code: string }).code, "repeated_key");
  const twice = '{"redirect_uris":["https://a.example/cb"],"redirect_uris":["https://b.example/cb"]}';
  const registered = await send(the, `${the.authUrl}/api/oauth/register`, twice);
  assert.equal(registered.status, 400, registered.text);
  assert.equal(
    await send(the, `${the.baseUrl}/api/v1/leads`, '{"name":"a","name":"b"}', key).then((a) => a.status),
    400,
  );
  assert.equal((await the.sql("SELECT FROM store.lead")).length, 0);
});

test("what only looks like a repeated key is accepted: equal keys of two objects, keys in strings, quotes after backslashes", async () => {
  await using the = await world();
  const { text: key } = await the.key(["leads:read", "leads:write"]);
  const fine = '{"name":"\\"name\\":1,\\\\","tags":["a:b","{\\"x\\":1,\\"x\\":2}"],"company":"c:\\\\"}';
  const heard = await send(the, `${the.baseUrl}/api/v1/leads`, fine, key);
  assert.equal(heard.status, 201, heard.text);
  const items = '{"op":"create","items":[{"name":"a"},{"name":"a"}]}';
  assert.equal((await send(the, `${the.baseUrl}/api/v1/leads/bulk`, items, key)).status, 200);
});
