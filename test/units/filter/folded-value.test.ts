import assert from "node:assert/strict";
import { test } from "node:test";
import {
  containsSql,
  foldedValue,
  foldedValues,
  patternOf,
} from "../../../src/domain/filter/sql/folded-value.ts";
import { Parameters } from "../../../src/domain/sql/parameters.ts";

/** The SQL with its parameters in place. */
const shown = (make: (parameters: Parameters) => string): string => {
  const parameters = new Parameters();
  const sql = make(parameters);
  return sql.replace(/\$(\d+)/g, (_, n) => JSON.stringify(parameters.values[Number(n) - 1]));
};

test("a text in ASCII is folded once, before its statement", () => {
  const cases: [text: string, sql: string][] = [
    ["Ana Souza", '"ana souza"::text'],
    ["", '""::text'],
    ["100% of_it", '"100% of_it"::text'],
    // The database knows how its locale folds these.
    ["São Paulo", 'fold("São Paulo"::text)'],
    ["Iris", 'fold("Iris"::text)'],
    ["\u{1F600}", 'fold("\u{1F600}"::text)'],
  ];
  for (const [text, sql] of cases)
    assert.equal(
      shown((parameters) => foldedValue(text, "fold", parameters)),
      sql,
    );
  assert.equal(
    shown((parameters) => foldedValues(["Ads", "Web"], "lower", parameters)),
    '["ads","web"]::text[]',
  );
  assert.equal(
    shown((parameters) => foldedValues(["Ads", "Évora"], "fold", parameters)),
    'ARRAY(SELECT fold(item) FROM unnest(["Ads","Évora"]::text[]) AS listed (item))',
  );
});

test("the wildcards of LIKE in a text mean themselves", () => {
  const cases: [text: string, match: "part" | "start" | "end", sql: string][] = [
    ["Ana", "part", '"%ana%"::text'],
    ["Ana", "start", '"ana%"::text'],
    ["Ana", "end", '"%ana"::text'],
    ["50%_\\", "part", JSON.stringify("%50\\%\\_\\\\%").concat("::text")],
    ["Évora", "part", "'%' || literal(\"Évora\"::text) || '%'"],
    ["Évora", "start", "literal(\"Évora\"::text) || '%'"],
    ["Évora", "end", "'%' || literal(\"Évora\"::text)"],
  ];
  for (const [text, match, sql] of cases)
    assert.equal(
      shown((parameters) => patternOf(text, match, parameters)),
      sql,
    );
});

test("a text without a trigram is not looked for in the index of trigrams", () => {
  const cases: [text: string, sql: string][] = [
    ["ana", 'search_text LIKE "%ana%"::text'],
    ["an", 'strpos(search_text, "an"::text) > 0'],
    ["a%", 'strpos(search_text, "a%"::text) > 0'],
    ["---", 'strpos(search_text, "---"::text) > 0'],
    ["mü", 'strpos(search_text, fold("mü"::text)) > 0'],
    ["a-bc", 'search_text LIKE "%a-bc%"::text'],
  ];
  for (const [text, sql] of cases)
    assert.equal(
      shown((parameters) => containsSql("search_text", text, parameters)),
      sql,
    );
});
