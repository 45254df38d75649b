import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSecret, seal, unseal } from "../../../src/core/secret.ts";

test("what is sealed opens with its key and purpose only, however long the purpose is", () => {
  const key = randomSecret();
  for (const length of [0, 1, 900, 901, 1_024, 4_000, 9_000, 20_000]) {
    const purpose = "p".repeat(length);
    const sealed = seal([key], purpose, "a text");
    assert.equal(unseal([key], purpose, sealed), "a text", `${length}`);
    assert.equal(unseal([randomSecret(), key], purpose, sealed), "a text", `${length}`);
    assert.equal(unseal([key], `${purpose}q`, sealed), undefined, `${length}`);
    assert.equal(unseal([randomSecret()], purpose, sealed), undefined, `${length}`);
  }
});
