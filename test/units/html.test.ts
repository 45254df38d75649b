import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "../../src/http/response/html.ts";

test("a value stays inside its text or its attribute, whichever quotes are around it", () => {
  const hostile = `&<b>"'`;
  const escaped = "&#38;&#60;b&#62;&#34;&#39;";
  assert.equal(html`<p title="${hostile}">${hostile}</p>`.text, `<p title="${escaped}">${escaped}</p>`);
  assert.equal(html`${[html`<i>${hostile}</i>`, hostile]}`.text, `<i>${escaped}</i>${escaped}`);
});

test("nothing is written for a value that is not there, and a number as it is", () => {
  assert.equal(html`[${undefined}${null}${false}${0}]`.text, "[0]");
});
