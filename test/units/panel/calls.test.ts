import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Method, Path, Send } from "../../../web/src/api/call.ts";
import { type Asked, pathOf } from "../../../web/src/api/path.ts";

/** Returns what a call would request; the compiler checks it as it checks the panel's calls. */
function called<M extends Method, P extends Path<M>>(_: M, path: P, ...[send]: Send<M, P>): string {
  const { body: __, ...asked }: Asked & { body?: unknown } = send ?? {};
  return pathOf(path, asked);
}

test("the parameters of a call are filled in, lists are joined with commas, and absent ones are left out", () => {
  const params = { id: "lead 1/2" };
  const query = { types: ["task.created", "task.done"], limit: 5, cursor: null, source: undefined };
  assert.equal(called("GET", "/v1/members"), "/v1/members");
  assert.equal(called("GET", "/v1/leads/{id}", { params }), "/v1/leads/lead%201%2F2");
  assert.equal(called("GET", "/v1/views", { query: { limit: null } }), "/v1/views");
  assert.equal(
    called("GET", "/v1/leads/{id}/events", { params, query }),
    "/v1/leads/lead%201%2F2/events?types=task.created%2Ctask.done&limit=5",
  );
  assert.equal(
    called("PATCH", "/v1/datasets/{id}/rows/{row}", { params: { id: "plans", row: "row_1" }, body: {} }),
    "/v1/datasets/plans/rows/row_1",
  );
});

test("calls with a typo do not compile", () => {
  const params = { id: "lead_1" };
  const calls = [
    // @ts-expect-error: a path with a typo
    () => called("GET", "/v1/lead/{id}", { params }),
    // @ts-expect-error: another method of the path
    () => called("PUT", "/v1/leads/{id}", { params }),
    // @ts-expect-error: an endpoint without a version
    () => called("POST", "/api/leads/query", { body: {} }),
    // @ts-expect-error: the parameter of the path is missing
    () => called("GET", "/v1/leads/{id}"),
    // @ts-expect-error: a parameter of the path with a typo
    () => called("GET", "/v1/leads/{id}", { params: { lead: "lead_1" } }),
    // @ts-expect-error: a query parameter with a typo
    () => called("GET", "/v1/leads/{id}", { params, query: { includes: ["datasets"] } }),
    // @ts-expect-error: a query parameter of an endpoint without any
    () => called("GET", "/v1/members", { query: { limit: 1 } }),
    // @ts-expect-error: a body where none is taken
    () => called("POST", "/v1/leads/{id}/restore", { params, body: {} }),
    // @ts-expect-error: the body is missing
    () => called("POST", "/v1/leads/search"),
    // @ts-expect-error: a member of the body with a typo
    () => called("POST", "/v1/leads/search", { body: { filters: { and: [] } } }),
    // @ts-expect-error: a field of leads with a typo
    () => called("PATCH", "/v1/leads/{id}", { params, body: { statsu: "new" } }),
    // @ts-expect-error: a field in the body that leads are not sorted by
    () => called("POST", "/v1/leads/search", { body: { sort: [{ field: "tags" }] } }),
  ];
  // @ts-expect-error: a member of the answer with a typo
  const name = (answer: Answer<"GET", "/v1/members">) => answer.member;
  assert.equal(calls.length, 12);
  assert.equal(name({ members: [], next_cursor: null }), undefined);
});
