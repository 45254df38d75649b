import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenApiDocument, operationsOf } from "../../../clients/typescript/build/operations.ts";
import { apiDocument } from "../../../src/http/openapi/hosts.ts";

const document = apiDocument("https://api.leadgate.test") as unknown as OpenApiDocument;
const operations = operationsOf(document);

test("the client repeats reads and the upsert, and no other write", () => {
  const repeated = operations.filter(({ repeatable, method }) => repeatable && method !== "GET");
  assert.deepEqual(repeated.map(({ id }) => id).sort(), [
    "current.datasets.query",
    "current.leads.export",
    "current.leads.query",
    "datasets.rows.search",
    "filters.validate",
    "leads.aggregate",
    "leads.count",
    "leads.responseTimes",
    "leads.search",
    "leads.sync",
    "leads.upsert",
    "people.export",
  ]);
});

test("the client reads every list by cursor over all of its pages, but not the feed, which has no end", () => {
  const takeCursor = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === "cursor"))
    .map(({ operationId }) => operationId);
  const lists = operations.filter(({ list }) => list?.cursor === "query").map(({ id }) => id);
  assert.deepEqual(
    takeCursor.filter((id) => !lists.includes(id)),
    ["events.feed", "events.stream"],
  );
  const searches = operations.filter(({ list }) => list?.cursor === "body").map(({ id }) => id);
  assert.deepEqual(searches.sort(), ["datasets.rows.search", "leads.search", "leads.sync"]);
});
