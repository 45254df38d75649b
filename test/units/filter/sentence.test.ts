import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locale } from "../../../src/core/locale.ts";
import { NO_PROJECT_SCHEMA } from "../../../src/domain/fields/project-schema.ts";
import { readFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { sentenceOf } from "../../../src/domain/filter/sentence/sentence.ts";
import { SAID } from "../support/said-filters.ts";

const sentence = (filter: object, locale: Locale) =>
  sentenceOf(readFilter(filter, NO_PROJECT_SCHEMA), NO_PROJECT_SCHEMA, locale);

test("every operator of every type has a sentence in English and in Portuguese", () => {
  for (const [filter, english, portuguese] of SAID) {
    assert.equal(sentence(filter, "en"), english);
    assert.equal(sentence(filter, "pt-BR"), portuguese);
  }
});
