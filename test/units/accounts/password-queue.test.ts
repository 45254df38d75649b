import assert from "node:assert/strict";
import { test } from "node:test";
import { hash } from "@node-rs/argon2";
import type { Refusal } from "../../../src/core/refusal.ts";
import { isPassword } from "../../../src/domain/accounts/people/password.ts";

test("of forty people who sign in at once two are checked, 32 wait and six are asked to try again, after a rush too", async () => {
  const stored = await hash("a sentence of her own");
  for (const rush of ["first", "second"]) {
    const asked = await Promise.allSettled(
      Array.from({ length: 40 }, () => isPassword(stored, "a sentence of her own")),
    );
    const refused = asked.flatMap((each) => (each.status === "rejected" ? [each.reason as Refusal] : []));
    assert.deepEqual(
      refused.map(({ kind, code, retryAfter }) => [kind, code, retryAfter]),
      Array(6).fill(["unavailable", "busy", 2]),
      rush,
    );
    assert.ok(asked.every((each) => each.status === "rejected" || each.value));
  }
});
