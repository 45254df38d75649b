import assert from "node:assert/strict";
import { test } from "node:test";
import { mailboxOf } from "../../../src/domain/operation/limits/recipient.ts";

test("the spellings of an address that reach one mailbox count as one recipient", () => {
  for (const spelling of [
    "ceo@victim.test",
    "CEO@Victim.TEST",
    "ceo+1@victim.test",
    "ceo+a+b@victim.test.",
    '"ceo"@victim.test',
    "ceo@victim。test",
    "ｃｅｏ@ｖictim．test",
    "<ceo@victim.test>",
    "ceo@victim.test(1)",
    "ceo@victim.test (another comment)",
    "ceo@victim.test;",
  ])
    assert.equal(mailboxOf(spelling), "ceo@victim.test", spelling);
  assert.equal(mailboxOf("+ceo@victim.test"), "+ceo@victim.test");
  assert.equal(mailboxOf("ana@MÜNCHEN.example"), mailboxOf("ana@xn--mnchen-3ya.example"));
  assert.notEqual(mailboxOf("c.eo@victim.test"), mailboxOf("ceo@victim.test"));
});
