import assert from "node:assert/strict";
import { test } from "node:test";
import common from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { faultOfPassword } from "../../../src/domain/accounts/people/password-rule.ts";

const ADA = { email: "ada.moreira@acme-sales.example", name: "Ada Moreira" };
const WORDS = new Set(common);
const faultOf = (password: string) => faultOfPassword(password, ADA, (word) => WORDS.has(word));

/** Passwords by the reason why they are refused. */
const REFUSED = {
  common_password: [
    ...[
      "password",
      "PASSWORD",
      "Password1",
      "password!",
      "1password",
      "password2026!",
      "p@ssw0rd",
      "P@$$w0rd",
      "p4ssw0rd!",
      "pass\u200bword",
      "Pässword",
    ],
    ...[
      "password12345678",
      "passwordpassword",
      "monkeymonkey1",
      "iloveyou2",
      "senha123",
      "Senha@123",
      "brasil2026",
    ],
    ...["1q2w3e4r", "trustno1", "football 99", "michaeljackson"],
  ],
  password_pattern: [
    ...["12345678", "87654321", "aaaaaaaa", "aaaaaaab", "abababab", "abcabcabc", "20262026", "11112222"],
    ...["1122334455", "abcdefgh", "abcd1234", "qwertyui", "poiuytrewq", "qwer1234", "asdfghjkl", "!@#$%^&*"],
    ...["        ", "a".repeat(256), "abc!".repeat(64), "😀😀😀😀", "\u0301".repeat(8)],
  ],
  personal_password: [
    ...["Ada Moreira", "adamoreira", "moreira.ada", "Moreira1984", "MOREIRA!", "ada12345", "Adá Moreira!"],
    ...["ada.moreira@acme-sales.example", "ada@moreira", "acme-sales", "acme2026", "ada.acme.sales"],
    ...["leadgate", "Leadgate1", "leadgate2026!!", "leadgate-acme", "leadgateleadgate", "ada@leadgate"],
  ],
} as const;

for (const [fault, passwords] of Object.entries(REFUSED)) {
  test(`${fault}: each of these is refused`, () => {
    for (const password of passwords) assert.equal(faultOf(password), fault, password);
  });
}

test("sentences, several words and random passwords are accepted, also with a common word or one's own name in them", () => {
  for (const password of [
    ...[
      "correct horse 1",
      "a wholly new sentence",
      "wrong one",
      "password for the harbour",
      "ada likes abc soup",
    ],
    ...[
      "moreira bakes bread",
      "my leadgate key is long",
      "uma frase só minha",
      "12 angry men, 1957",
      "1234 steps home",
    ],
    ...[
      "xkcd-936-staple",
      "aB3$kQ9!",
      "Zt7-pLm2",
      "V6yK4c_uQe-1",
      "7f3a9c51e08b",
      "d9f2-41ac",
      "日本語の長い文です",
    ],
    ...["senha do banco azul", "banana bandana", "referee kerning"],
  ]) {
    assert.equal(faultOf(password), undefined, password);
  }
});

test("every password of the list that is long enough is refused", () => {
  const accepted = common.filter((word) => word.length >= 8 && faultOf(word) === undefined);
  assert.deepEqual(accepted, []);
  assert.ok(common.length > 40_000);
});

test("none of 20,000 passphrases of three to six random words is refused, whatever stands between the words", () => {
  const words = common.filter((word) => /^[a-z]{4,8}$/.test(word));
  let seed = 15;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const phrases = Array.from({ length: 20_000 }, () => {
    const between = [" ", "-", ".", "_", ", "][next(5)];
    return Array.from({ length: 3 + next(4) }, () => words[next(words.length)]).join(between);
  });
  assert.deepEqual(
    phrases.filter((phrase) => faultOf(phrase) !== undefined),
    [],
  );
});

test("a person without a usable name or e-mail refuses nothing more", () => {
  const nobody = { email: "a@b.c", name: "—" };
  const fault = (password: string) => faultOfPassword(password, nobody, (word) => WORDS.has(word));
  assert.equal(fault("correct horse 1"), undefined);
  assert.equal(fault("4711-0815-42"), undefined);
  assert.equal(fault("leadgate"), "personal_password");
});
