import assert from "node:assert/strict";
import { test } from "node:test";
import { e164Of, keptPhone, readPhone } from "../../../src/domain/values/read-phone.ts";

/** A phone number as people write it, the project's country, and the number that identifies its lead. */
const PHONES: [text: string, country: string | null, e164: string | null][] = [
  // "00" is the international prefix
  ["0055 11 98765-4321", "BR", "+5511987654321"],
  ["0055 (11) 98765-4321", "BR", "+5511987654321"],
  ["(0055) 11 98765-4321", "BR", "+5511987654321"],
  ["00-55-11-98765-4321", "BR", "+5511987654321"],
  ["00\u00a055\u00a011\u00a098765-4321", "BR", "+5511987654321"],
  ["Tel. 0055 11 98765-4321", "BR", "+5511987654321"],
  ["0055 21 3456-7890", "BR", "+552134567890"],
  ["0055 11 98765-4321", null, "+5511987654321"],
  ["0055 11 98765-4321", "US", "+5511987654321"],
  ["0044 20 7946 0958", "BR", "+442079460958"],
  ["0044 20 7946 0958", null, "+442079460958"],
  ["00 44 (0)20 7946 0958", "BR", "+442079460958"],
  ["00 1 415 555 2671", "BR", "+14155552671"],
  ["0033 6 12 34 56 78", "FR", "+33612345678"],
  ["00800 1234 5678", "DE", "+80012345678"],
  // prefixes of the country itself, and Brazil's carriers behind 00 and 0
  ["011 44 20 7946 0958", "US", "+442079460958"],
  ["011 55 11 98765-4321", "CA", "+5511987654321"],
  ["0011 44 20 7946 0958", "AU", "+442079460958"],
  ["010 44 20 7946 0958", "JP", "+442079460958"],
  ["001 44 20 7946 0958", "KR", "+442079460958"],
  ["001 65 6123 4567", "SG", "+6561234567"],
  ["0015 1 415 555 2671", "BR", "+14155552671"],
  ["0021 55 11 98765-4321", "BR", "+5511987654321"],
  ["0041 44 20 7946 0958", "BR", "+442079460958"],
  // of other countries, although behind 00 and a carrier a number of Brazil or of Sweden would be possible
  ["00 376 312 345", "BR", "+376312345"],
  ["00 1 246 250 1234", "BR", "+12462501234"],
  ["015 11 98765-4321", "BR", "+5511987654321"],
  // trunk prefixes
  ["(11) 98765-4321", "BR", "+5511987654321"],
  ["011 98765-4321", "BR", "+5511987654321"],
  ["+55 (011) 98765-4321", "BR", "+5511987654321"],
  ["5511987654321", "BR", "+5511987654321"],
  ["0800 123 4567", "BR", "+558001234567"],
  // Mexico's and Argentina's mobile prefixes
  ["+52 1 55 1234 5678", "BR", "+525512345678"],
  ["+52 1 55 1234 5678", null, "+525512345678"],
  ["0052 1 55 1234 5678", "MX", "+525512345678"],
  ["1 55 1234 5678", "MX", "+525512345678"],
  ["+52 55 1234 5678", "MX", "+525512345678"],
  ["011 15 2345 6789", "AR", "+5491123456789"],
  ["+54 11 15 2345 6789", "BR", "+5491123456789"],
  ["+54 9 11 2345 6789", "AR", "+5491123456789"],
  // not possible in any country
  ["0055", "BR", null],
  ["000000", "BR", null],
  ["12345", "BR", null],
  ["+55 11 98765-43210000", "BR", null],
  ["0055 11 98765-43210000", "BR", null],
  ["011 44 20 7946 0958", "BR", null],
  ["(11) 98765-4321", null, null],
  ["ask the desk", "BR", null],
];

test("a phone number identifies a lead only by a number that is possible, and 00 calls another country", () => {
  for (const [text, country, e164] of PHONES) assert.equal(e164Of(text, country), e164, `${text} ${country}`);
});

test("a filter and a custom field read a phone number as a lead's phone is read", () => {
  for (const [text, country, e164] of PHONES) {
    assert.equal(keptPhone(text, country), e164 ?? text, text);
    if (e164 !== null) assert.equal(readPhone(text, country, "$"), e164, text);
  }
});

test("a number with an extension keeps it where numbers are stored as written", () => {
  for (const text of ["0055 11 98765-4321 ext. 5", "+52 1 55 1234 5678 ext. 5"]) {
    assert.equal(keptPhone(text, "BR"), text);
    assert.notEqual(e164Of(text, "BR"), null);
  }
});
