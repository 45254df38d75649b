import assert from "node:assert/strict";
import { test } from "node:test";
import { readStoreAddress, storeName } from "../../../src/core/store-address.ts";

test("the address of a store names bucket, prefix and server, in the form that other backup programs have", () => {
  const minio = { endpoint: "https://minio.example.com:9000", region: "us-east-1", pathStyle: true };
  const aws = { endpoint: "https://s3.eu-central-1.amazonaws.com", region: "eu-central-1", pathStyle: false };
  for (const [text, expected] of [
    ["s3://b-1/a/b?endpoint=https://minio.example.com:9000", { bucket: "b-1", prefix: "a/b", ...minio }],
    ["s3://b-1/?endpoint=https://minio.example.com:9000/", { bucket: "b-1", prefix: "", ...minio }],
    [
      "s3://b-1?endpoint=https%3A%2F%2Fminio.example.com%3A9000&forcePathStyle=false&region=x",
      { bucket: "b-1", prefix: "", ...minio, region: "x", pathStyle: false },
    ],
    ["s3://Old_Bucket?region=eu-central-1", { bucket: "Old_Bucket", prefix: "", ...aws }],
    ["s3://b.example?region=eu-central-1", { bucket: "b.example", prefix: "", ...aws, pathStyle: true }],
    [
      "s3://b-1?region=eu-central-1&forcePathStyle=true",
      { bucket: "b-1", prefix: "", ...aws, pathStyle: true },
    ],
  ] as const)
    assert.deepEqual(readStoreAddress(text), expected, text);
  assert.equal(storeName(readStoreAddress("s3://b-1/a/b/?region=x")), "s3://b-1/a/b");
  assert.equal(storeName(readStoreAddress("s3://b-1?region=x")), "s3://b-1");
});

test("an address of a store that makes no sense names the wrong part, and never a password", () => {
  for (const [text, message] of [
    ["https://b-1", "The address of a store starts with s3://."],
    ["s3://", 'The bucket is ""; it must be'],
    ["s3://b?region=x", 'The bucket is "b"; it must be'],
    ["s3://b-1/a/../c?region=x", 'The folder in the bucket is "a/../c"; it must be'],
    ["s3://b-1/a//c?region=x", 'The folder in the bucket is "a//c"; it must be'],
    ["s3://b-1/a%2F?region=x", 'The folder in the bucket is "a%2F"; it must be'],
    ["s3://b-1", "The address of the store has no endpoint and no region. Add ?region=eu-central-1"],
    ["s3://b-1?region=eu central", 'The region of the store is "eu central"; it must be'],
    ["s3://b-1?endpoint=localhost:9000", 'The endpoint of the store is "localhost:9000"; it must be an http'],
    [
      "s3://b-1?region=x&forcePathStyle=yes",
      'forcePathStyle of the store is "yes"; it must be true or false.',
    ],
    [
      "s3://b-1?regoin=x",
      'The address of the store has the parameter "regoin"; it may have endpoint, region',
    ],
    ["s3://hush:hush@b-1?region=x", "The address of a store has no user and no password. Set BACKUP_S3_"],
    [
      "s3://b-1?endpoint=https://hush:hush@host",
      "The endpoint of the store has no user and no password. Set BA",
    ],
    [
      "s3://b-1?region=x&secretKey=hush",
      'The address of the store has the parameter "secretKey"; it may have',
    ],
  ] as const)
    assert.throws(
      () => readStoreAddress(text),
      (error: Error) => error.message.startsWith(message) && !error.message.includes("hush"),
      text,
    );
});
