import assert from "node:assert/strict";
import { test } from "node:test";
import { plainName } from "../../../src/domain/operation/mail/plain-name.ts";

const ORDINARY = [
  "St. Pauli GmbH & Co. KG",
  "Vendas São Paulo / 2026",
  "A.C.M.E.",
  "O'Neil & Söhne, Inc.",
  "Sales @ Home",
  "Reunião 10:30, meta R$ 1.000,00 (v2.0)",
  "Ação nº 5 – “Leads” e/ou clientes…",
  "東京営業部 ❤",
];

test("ordinary names stay as they are in mails", () => {
  for (const name of ORDINARY) assert.equal(plainName(name), name);
});

test("a name in a mail is one line without links, addresses, look-alikes and invisible characters", () => {
  const names: Array<[string, string]> = [
    ["Ada\u2028Click\r\n\r\nhttps://evil.example/x?y=1", "Ada Click https evil example/x?y=1"],
    ["evil.com", "evil com"],
    ["sub.evil.com.", "sub evil com."],
    ["evil.com/path", "evil com/path"],
    ["www.evil", "www evil"],
    ["WWW.x", "WWW x"],
    ["ceo@evil.com", "ceo evil com"],
    ["mailto:x@y.zz", "mailto x y zz"],
    ["tel:+55 11 9999", "tel +55 11 9999"],
    ["javascript:alert(1)", "javascript alert(1)"],
    ["cursor://open", "cursor open"],
    ["//evil", "evil"],
    ["\\\\evil\\share", "evil\\share"],
    ["evil。com", "evil com"],
    ["evil．com", "evil com"],
    ["evil｡com", "evil com"],
    ["https：／／evil․com", "https evil com"],
    ["ceo＠evil﹒com", "ceo evil com"],
    ["ⓔvil.ⓒⓞⓜ", "ⓔvil ⓒⓞⓜ"],
    ["пример.рф", "пример рф"],
    ["evil.xn--p1ai", "evil xn--p1ai"],
    ["ev\u200bil.\u200dc\u00adom", "evil com"],
    ["\u202emoc.live\u2066", "moc live"],
    ["127.0.0.1", "127 0 0 1"],
    ["localhost:3000", "localhost 3000"],
    ["株式会社。", "株式会社."],
    ["\u3164\u2800\ufeff", "—"],
    ["lone \ud800 surrogate", "lone \ufffd surrogate"],
  ];
  for (const [given, shown] of names) assert.equal(plainName(given), shown, JSON.stringify(given));
});

test("a long name in a mail is cut between characters, at about sixty", () => {
  assert.equal(plainName("a".repeat(60)), "a".repeat(60));
  assert.equal(plainName("a".repeat(61)), `${"a".repeat(59)}…`);
  assert.equal(plainName("😀".repeat(40)), `${"😀".repeat(29)}…`, "a surrogate pair stays whole");
  assert.equal(plainName("é".normalize("NFD").repeat(40)), `${"é".normalize("NFD").repeat(29)}…`);
  assert.equal(plainName(`e${"\u0301".repeat(190)}vil`), "e\u0301\u0301\u0301vil");
});
