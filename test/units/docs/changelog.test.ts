import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isOlder } from "../../../src/db/migration/release.ts";

const KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
const text = readFileSync("CHANGELOG.md", "utf8");
const releases = text.split(/^## /m).slice(1);
const headings = releases.map((release) => release.slice(0, release.indexOf("\n")));
const kindsOf = (release: string) => release.split(/^### /m).slice(1);
/** Returns the entries of a release's part, each with its lines. */
const entriesOf = (part: string) =>
  part
    .slice(part.indexOf("\n"))
    .trim()
    .split(/\n(?=- )/);

test("the changelog has Unreleased, then the versions with their days, the newest first, which is the one of the manifest", () => {
  assert.match(text, /^# Changelog\n\n/);
  const [unreleased, ...versions] = headings;
  assert.equal(unreleased, "Unreleased");
  const dated = versions.map(
    (heading) => /^(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? assert.fail(heading),
  );
  for (const [i, [, version = "", day = ""]] of dated.slice(1).entries()) {
    const [, newer = "", newerDay = ""] = dated[i] ?? [];
    assert.ok(isOlder(version, newer) && day <= newerDay, `${version} is after ${newer}`);
  }
  assert.equal(dated[0]?.[1], JSON.parse(readFileSync("package.json", "utf8")).version);
});

test("a release in the changelog has only the kinds of Keep a Changelog, in their order, none of them empty", () => {
  for (const [i, release] of releases.entries()) {
    const kinds = kindsOf(release).map((part) => part.slice(0, part.indexOf("\n")));
    assert.deepEqual(
      kinds,
      KINDS.filter((kind) => kinds.includes(kind)),
      headings[i],
    );
    assert.ok(i === 0 || kinds.length > 0, headings[i]);
    assert.doesNotMatch(release.split(/^### /m)[0] ?? "", /^- /m, "an entry has a kind");
  }
});

test("an entry of the changelog is a line or two; a breaking one comes first and says what to do", () => {
  for (const part of releases.flatMap(kindsOf)) {
    const entries = entriesOf(part);
    for (const entry of entries) {
      assert.match(
        entry,
        /^- \S[^\n]*(\n {2}\S[^\n]*)?[.)]$/,
        "an entry has at most two lines and ends with a full stop",
      );
      for (const line of entry.split("\n")) assert.ok(line.length <= 185, line);
    }
    const breaking = entries.filter((entry) => /breaking/i.test(entry));
    assert.deepEqual(breaking, entries.slice(0, breaking.length), "breaking changes come first");
    for (const entry of breaking)
      assert.match(entry, /^- \*\*Breaking:\*\* [\s\S]+?\.\s+[A-Z][\s\S]+\.$/, "what a caller does");
  }
});
