import assert from "node:assert/strict";
import { test } from "node:test";
import { readClientMetadata } from "../../src/domain/clients/client-metadata.ts";
import { readDocument } from "../../src/domain/clients/read-document.ts";
import { refused } from "./support/refused.ts";

const read = (metadata: object) =>
  readClientMetadata({ redirect_uris: ["https://app.example/cb"], ...metadata });

test("a name of an application shows something, on one line; it is kept to the letter", () => {
  const names = [
    "A",
    "é",
    "е\u0301",
    "日本",
    "لا",
    "한",
    "🤖",
    "❤\ufe0f",
    "=",
    "7",
    "a\u200bb",
    " A ",
    "\u202eA",
    "👩\u200d💻",
  ];
  for (const name of names) assert.equal(read({ client_name: name }).client_name, name, JSON.stringify(name));
  const blank = `\u0020 \u00a0 \u00ad \u034f \u061c \u115f \u1160 \u1680 \u17b4 \u180e \u2000 \u200b \u200d \u200e \u202e
    \u2060 \u2066 \u2800 \u3000 \u3164 \ufe0f \ufeff \uffa0 \u0301 \u20dd \u{e0041} \u{e0100} \u{1d159} \u{13441} \ue000 \uffff`;
  for (const one of blank.replaceAll(/[\n ]/g, "")) {
    for (const name of [one, one.repeat(5), ` ${one}\u200b`]) {
      const fault = refused(() => read({ client_name: name }));
      assert.equal(fault.code, "invalid_client_metadata", JSON.stringify(name));
      assert.match(fault.message, /client_name .*visible/, JSON.stringify(name));
    }
  }
  for (const name of ["a\u2028b", "a\u2029b", "a\nb"]) {
    assert.match(refused(() => read({ client_name: name })).message, /on one line/, JSON.stringify(name));
  }
});

test("an application's website and logo name no user", () => {
  const fine = [
    "https://app.example",
    "http://app.example/@me?a=b@c",
    "https://app.example:8443/x",
    "https://[::1]/",
  ];
  for (const member of ["client_uri", "logo_uri"]) {
    for (const address of fine) assert.doesNotThrow(() => read({ [member]: address }), address);
    const faulty = [
      "https://bank.example@evil.example/",
      "https://a:b@evil.example",
      "https://@evil.example/",
      "https://:@evil.example/",
      "https:///bank.example@evil.example/",
      "HTTPS://a%40b@evil.example/",
    ];
    for (const address of faulty) {
      const fault = refused(() => read({ [member]: address }));
      assert.equal(fault.code, "invalid_client_metadata", address);
      assert.match(
        fault.message,
        new RegExp(`^${member} must be an http or https URL without user information`),
        address,
      );
    }
  }
});

test("a metadata document follows the rules of a registration", () => {
  const address = "https://app.example/client.json";
  const document = { client_id: address, client_name: "Tool", redirect_uris: ["https://app.example/cb"] };
  assert.equal(readDocument(address, JSON.stringify(document)).client_name, "Tool");
  for (const [member, value, reason] of [
    ["redirect_uris", ["ms-msdt:/id"], /scheme of a program/],
    ["redirect_uris", ["myapp://cb"], /unknown scheme/],
    ["client_name", "\u3164", /visible/],
    ["client_uri", "https://bank.example@evil.example/", /user information/],
  ] as const) {
    const fault = refused(() => readDocument(address, JSON.stringify({ ...document, [member]: value })));
    assert.equal(fault.code, "document_metadata");
    assert.match(fault.message, reason);
  }
});
