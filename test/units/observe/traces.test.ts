import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../../src/config/config.ts";
import { includes, newSpanId, newTraceId } from "../../../src/observe/trace/ids.ts";
import { statementWords } from "../../../src/observe/trace/statement-words.ts";
import { readTraceParent } from "../../../src/observe/trace/trace-parent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("a traceparent is read strictly", () => {
  const read = (text: unknown) => readTraceParent(text);
  assert.deepEqual(read(`00-${TRACE}-${SPAN}-01`), {
    traceId: TRACE,
    spanId: SPAN,
    sampled: true,
    state: "",
  });
  assert.equal(read(`00-${TRACE}-${SPAN}-02`)?.sampled, false);
  assert.equal(read(`00-${TRACE}-${SPAN}-03`)?.sampled, true, "a random id, sampled");
  assert.equal(read(`cc-${TRACE}-${SPAN}-01-what-comes-later`)?.traceId, TRACE, "a later version");
  for (const wrong of [
    ...[undefined, "", ["x"], `00-${TRACE}-${SPAN}`, `00-${TRACE}-${SPAN}-01-more`, `00-${TRACE}-${SPAN}-1`],
    ...[`ff-${TRACE}-${SPAN}-01`, `00-${"0".repeat(32)}-${SPAN}-01`, `00-${TRACE}-${"0".repeat(16)}-01`],
    ...[`00-${TRACE.toUpperCase()}-${SPAN}-01`, ` 00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01\n`],
    ...[`cc-${TRACE}-${SPAN}-01.more`, `00-${TRACE.slice(1)}-${SPAN}-01`, `00-${TRACE}-${SPAN}-0g`],
  ])
    assert.equal(read(wrong), undefined, String(wrong));
});

test("a tracestate is passed on if it is valid and short, or else left out", () => {
  const read = (state: unknown) => readTraceParent(`00-${TRACE}-${SPAN}-01`, state)?.state;
  assert.equal(read("rojo=00f067, congo@eu=t61,"), "rojo=00f067,congo@eu=t61");
  const long = (length: number) => `a=${"x".repeat(200)},b=${"x".repeat(200)},c=${"x".repeat(length - 408)}`;
  assert.equal(read(long(512))?.length, 512);
  const many = Array.from({ length: 33 }, (_, i) => `k${i}=1`).join();
  for (const wrong of [long(513), "a=1,a=2", "A=1", "a", "a=", "a=b=c", "a=1;b=2,c", "a=é", many, undefined])
    assert.equal(read(wrong), "", String(wrong));
});

test("ids are random, and a ratio includes its part of them", () => {
  const ids = Array.from({ length: 20_000 }, newTraceId);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => /^[0-9a-f]{32}$/.test(id)));
  assert.match(newSpanId(), /^[0-9a-f]{16}$/);
  const share = ids.filter((id) => includes(0.05, id)).length / ids.length;
  assert.ok(share > 0.04 && share < 0.06, String(share));
  assert.deepEqual([includes(0, "0".repeat(32)), includes(1, "f".repeat(32))], [false, true]);
});

test("a statement is named by its verb and its table, and shown without literals", () => {
  for (const [sql, summary, text] of [
    ["SELECT id FROM lead WHERE a = $1", "SELECT lead", "SELECT id FROM lead WHERE a = $1"],
    ["SELECT 'it''s' || E'a\\'b' AS x,\n 1", "SELECT", "SELECT ? || ? AS x, 1"],
    ["SELECT $$Ana$$, $q$Bia$q$", "SELECT", "SELECT ?, ?"],
    ['SELECT "Ana""s" FROM x', "SELECT x", 'SELECT "?" FROM x'],
    [
      "WITH a AS (SELECT 1 FROM b), c AS (DELETE FROM d) UPDATE job SET x = 'y'",
      "UPDATE job",
      "WITH a AS (SELECT 1 FROM b), c AS (DELETE FROM d) UPDATE job SET x = ?",
    ],
    [
      "INSERT INTO store.lead (id) VALUES ($1)",
      "INSERT store.lead",
      "INSERT INTO store.lead (id) VALUES ($1)",
    ],
    [
      "WITH a AS (SELECT 1 FROM b FOR UPDATE SKIP LOCKED), c AS (UPDATE lead SET x = 1) SELECT * FROM a",
      "UPDATE lead",
      "WITH a AS (SELECT 1 FROM b FOR UPDATE SKIP LOCKED), c AS (UPDATE lead SET x = 1) SELECT * FROM a",
    ],
    ["COMMIT", "COMMIT", "COMMIT"],
  ] as const)
    assert.deepEqual([statementWords(sql).summary, statementWords(sql).text], [summary, text]);
  assert.ok(statementWords(`SELECT ${"1, ".repeat(5_000)}1`).text.length <= 4_001);
});

const read = (env: Record<string, string>) => readConfig(env).traces;
const ON = { OTEL_TRACES_EXPORTER: "otlp" };

test("traces are off unless an endpoint or the exporter is set", () => {
  const url = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" };
  for (const off of [
    ...[{}, { OTEL_SERVICE_NAME: "x" }, { ...url, OTEL_SDK_DISABLED: "TRUE" }],
    ...[{ ...url, OTEL_TRACES_EXPORTER: "none" }, { OTEL_EXPORTER_OTLP_ENDPOINT: " " }],
    { ...url, OTEL_TRACES_EXPORTER: "zipkin" },
  ])
    assert.equal(read(off), undefined, JSON.stringify(off));
  assert.equal(read(ON)?.url, "http://localhost:4318/v1/traces");
  assert.equal(read(url)?.url, "http://c:4318/v1/traces");
  assert.equal(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://c/otlp/" })?.url, "https://c/otlp/v1/traces");
  assert.equal(read({ ...url, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://d:1/x" })?.url, "http://d:1/x");
});

test("the samplers are those of OpenTelemetry, and 5 % of the traces that start here without a setting", () => {
  const sampler = (name: string, ratio?: string) =>
    read({
      ...{ ...ON, OTEL_TRACES_SAMPLER: name },
      ...(ratio === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: ratio }),
    })?.sampler;
  const of = (ratio: number, byParent: boolean) => ({ ratio, byParent });
  assert.deepEqual(sampler(""), of(0.05, true));
  assert.deepEqual(sampler("", "0.5"), of(0.5, true));
  assert.deepEqual(sampler("always_on"), of(1, false));
  assert.deepEqual(sampler("always_off"), of(0, false));
  assert.deepEqual(sampler("traceidratio"), of(1, false));
  assert.deepEqual(sampler("traceidratio", ".25"), of(0.25, false));
  assert.deepEqual(sampler("parentbased_always_on"), of(1, true));
  assert.deepEqual(sampler("parentbased_always_off"), of(0, true));
  assert.deepEqual(sampler("parentbased_traceidratio", "1e-3"), of(0.001, true));
  assert.deepEqual(sampler("parentbased_traceidratio", "2"), of(1, true));
  assert.deepEqual(sampler("jaeger_remote"), of(0.05, true));
});

test("what OpenTelemetry wants to be ignored is ignored with a warning", () => {
  for (const [name, value] of [
    ["OTEL_TRACES_SAMPLER", "xray"],
    ["OTEL_TRACES_SAMPLER_ARG", "-1"],
    ["OTEL_BSP_MAX_QUEUE_SIZE", "many"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "-5"],
    ["OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "carrier-pigeon"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=1,b"],
    ["OTEL_PROPAGATORS", "b3"],
    ["OTEL_SDK_DISABLED", "yes"],
  ] as const) {
    const { warnings = [] } = read({ ...ON, [name]: value }) ?? {};
    assert.equal(warnings.length, 1, name);
    assert.ok(warnings[0]?.startsWith(`${name} `), warnings[0]);
  }
  assert.deepEqual(read({ ...ON, OTEL_BSP_MAX_QUEUE_SIZE: "100" })?.queue, {
    ...{ most: 100, together: 100, everyMs: 5_000, patienceMs: 30_000 },
  });
});

test("what would send traces to the wrong place stops the start, and shows no secret", () => {
  for (const [name, value] of [
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:hunter2@c"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "ftp://c"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization:hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a b=hunter2"],
    ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=%0Ahunter2%0Ab"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["TRACES", '{"slowMs": 0}'],
    ["TRACES", '{"failed": 1}'],
    ["TRACES", '{"slow": 1}'],
  ] as const)
    assert.throws(
      () => read({ ...ON, [name]: value }),
      ({ message }: Error) => message.startsWith(name) && !message.includes("hunter2"),
      `${name}=${value}`,
    );
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=x%3Dy", OTEL_EXPORTER_OTLP_TRACES_HEADERS: "A=2" };
  assert.deepEqual(read({ ...ON, ...headers })?.headers, { a: "2", b: "x=y" });
  assert.equal(read({ ...ON, TRACES: '{"slowMs": null}' })?.slowMs, undefined);
});
