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

test("what an earlier version sealed still opens, with short purposes and with hashed ones", () => {
  const key = "0123456789abcdef".repeat(4);
  for (const [length, sealed] of [
    [7, "ZXXVgEHh3lcdPinQS3lp3Xl5Ybbbsy7VKoa-l9k6zs7HXiAglhc2YU1O3nB9"],
    [900, "Y_nUWhJ0HeDLa6HWh4yj9E8NpiFUOlflKLIgkWimdx5R6Zy9KzFC2-kZhKrO"],
    [901, "XsTWWKdsvNmRuHTdTpJglnxDvgKRB3PIJoBatXNSWmYsZpxkZ4ZBP1zoeeNq"],
  ] as const)
    assert.equal(unseal([key], "p".repeat(length), sealed), "kept since before", `${length}`);
});
