import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readStoreAddress, type StoreAddress } from "../../src/core/store-address.ts";
import { urlOf } from "../../src/db/backup/store/connection.ts";
import { fetchFolder, sendFolder } from "../../src/db/backup/store/copy-folder.ts";
import { digestsOf } from "../../src/db/backup/store/digests.ts";
import { Store, type StoreOptions } from "../../src/db/backup/store/store.ts";
import { StoreError } from "../../src/db/backup/store/store-error.ts";
import { large } from "../large.ts";
import { type Asked, type Fault, KEYS, noS3, refuse, type S3Server, s3Server } from "./support/s3-server.ts";

let server: Promise<S3Server> | undefined;
const local = mkdtempSync(join(tmpdir(), "leadgate-store-"));
after(async () => {
  rmSync(local, { recursive: true });
  await (await server)?.stop();
});

/** Short pauses, and time enough for a busy machine. */
const HASTY = { againMs: 20_000, partAgainMs: 20_000, idleMs: 10_000, firstPauseMs: 1, longestPauseMs: 5 };
/** Files of a few kilobytes are large. */
const SMALL = { singleBytes: 4_096, partBytes: 1_024 };

/** The server that all tests of this file share, with a store under a prefix of the test's own. */
async function storeFor(prefix: string, options: StoreOptions = {}) {
  server ??= s3Server();
  const the = await server;
  the.asked = [];
  the.fault = () => undefined;
  const address = { ...the.address, prefix };
  const store = new Store(address, KEYS, { patience: HASTY, ...options });
  /** Lets the first request that fits go wrong. */
  const once = (fits: (asked: Asked) => boolean, fault: Fault) => {
    let isDone = false;
    the.fault = (asked) => {
      if (isDone || !fits(asked)) return undefined;
      isDone = true;
      return fault;
    };
  };
  return { the, store, address, once };
}

function fileWith(content: Buffer | string): string {
  const path = join(local, randomBytes(6).toString("hex"));
  writeFileSync(path, content);
  return path;
}

const target = () => join(local, randomBytes(6).toString("hex"), "got");
async function listed<T>(files: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const file of files) all.push(file);
  return all;
}

const keysOf = async (files: AsyncIterable<{ key: string }>) => (await listed(files)).map(({ key }) => key);

const busy = { answer: (response: ServerResponse) => refuse(response, 503, "SlowDown") };
const broken = { answer: (response: ServerResponse) => void response.destroy() };
const skip = noS3;

test("a file comes back from a store byte for byte, whatever its key; a short one is read as text", {
  skip,
}, async () => {
  const { store, the } = await storeFor("odd names/ção+1");
  const keys = ["backup.json", "a b+c/(d)!*~=é%41.zst", "log-1f/0000000100000000000000A1.zst"];
  for (const key of keys) {
    const content = key === "backup.json" ? Buffer.from('{"é": 1}\n') : randomBytes(70_000);
    const got = target();
    await store.put(fileWith(content), key);
    await store.get(key, got);
    assert.deepEqual(readFileSync(got), content);
    assert.equal((await store.head(key))?.bytes, content.length);
    assert.ok(!existsSync(`${got}.partial`));
  }
  assert.equal(await store.readText("backup.json"), '{"é": 1}\n');
  await store.put(fileWith(""), "empty");
  const got = target();
  await store.get("empty", got);
  assert.equal(readFileSync(got, "utf8"), "");
  const found = await listed(store.list());
  assert.deepEqual(found.map(({ key }) => key).sort(), ["empty", ...keys].sort());
  assert.ok(existsSync(join(the.folder, "odd names/ção+1/backup.json._S3rver_object")));
  assert.equal(await store.head("missing"), undefined);
  assert.equal(await store.readText("missing"), undefined);
  await store.remove([...keys, "missing"]);
  assert.deepEqual(await keysOf(store.list()), ["empty"]);
});

test("a large file is sent in parts, each with its checksum, and a part that fails is sent again by itself", {
  skip,
}, async () => {
  const { store, the, once } = await storeFor("parts", { sizes: SMALL });
  const content = randomBytes(4_500);
  for (const fault of [
    busy,
    broken,
    { answer: (response: ServerResponse) => refuse(response, 500, "InternalError") },
  ]) {
    the.asked = [];
    once(({ url }) => url.includes("partNumber=3"), fault);
    await store.put(fileWith(content), "large");
    const parts = the.asked.flatMap(({ url, bytes }) => {
      const part = /partNumber=(\d)/.exec(url)?.[1];
      return part === undefined ? [] : [[part, bytes]];
    });
    assert.deepEqual(parts, [
      ["1", 1_024],
      ["2", 1_024],
      ["3", 1_024],
      ["3", 1_024],
      ["4", 1_024],
      ["5", 404],
    ]);
    const got = target();
    await store.get("large", got);
    assert.deepEqual(readFileSync(got), content);
  }
  assert.deepEqual(
    the.asked.filter(({ method }) => method === "DELETE"),
    [],
  );
});

large("a file of 300 MB goes to a store and comes back without being in memory", { skip }, async () => {
  const { the, address } = await storeFor("memory");
  const store = new Store({ ...address, endpoint: the.direct.endpoint }, KEYS);
  const path = join(local, "300");
  const file = openSync(path, "w");
  for (let n = 0; n < 300; n += 1) writeSync(file, randomBytes(1_000_000));
  closeSync(file);
  const before = process.memoryUsage().rss;
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 10);
  const got = target();
  try {
    await store.put(path, "300");
    await store.get("300", got);
  } finally {
    clearInterval(watching);
  }
  assert.ok((most - before) / 1_000_000 < 150, `${(most - before) / 1_000_000} MB more`);
  const hash = async (of: string) =>
    (await digestsOf(of, { start: 0, bytes: 300_000_000, md5: false })).sha256;
  assert.equal(await hash(got), await hash(path));
});

test("a large upload is complete although the answer to its last request was lost, and is not if the store has another file", {
  skip,
}, async () => {
  const { store, the } = await storeFor("lost answer", { sizes: SMALL });
  let isPassed = false;
  const isEnd = ({ method, url }: Asked) => method === "POST" && url.includes("uploadId=");
  the.fault = (asked) => {
    if (!isEnd(asked)) return undefined;
    if (isPassed) return { answer: (response) => refuse(response, 404, "NoSuchUpload") };
    isPassed = true;
    return { cut: 0 };
  };
  await store.put(fileWith(randomBytes(5_000)), "large");
  the.fault = (asked) => (isEnd(asked) ? { answer: (r) => refuse(r, 404, "NoSuchUpload") } : undefined);
  await assert.rejects(store.put(fileWith(randomBytes(5_000)), "large"), { code: "NoSuchUpload" });
});

test("an upload that S3 answers with 200 and an error is not taken for complete", { skip }, async () => {
  const { store, the, once } = await storeFor("late error", { sizes: SMALL });
  const isEnd = ({ method, url }: Asked) => method === "POST" && url.includes("uploadId=");
  once(isEnd, { answer: (response) => refuse(response, 200, "InternalError") });
  await store.put(fileWith(randomBytes(5_000)), "large");
  assert.equal(the.asked.filter(isEnd).length, 2);
  assert.equal((await store.head("large"))?.bytes, 5_000);
});

test("a large upload that fails is ended in the store, and those that a killed process left are removed after a day", {
  skip,
}, async () => {
  const { store, the } = await storeFor("unfinished", { sizes: SMALL });
  const ended: string[] = [];
  const endedWith = (url: string, response: ServerResponse) => {
    ended.push(url);
    response.writeHead(204).end();
  };
  the.fault = ({ method, url }) => {
    if (method === "DELETE") return { answer: (response) => endedWith(url, response) };
    if (url.includes("partNumber=2")) return { answer: (response) => refuse(response, 403, "AccessDenied") };
    return undefined;
  };
  await assert.rejects(store.put(fileWith(randomBytes(5_000)), "large"), { code: "AccessDenied" });
  assert.match(ended.join(), /^\/backups\/unfinished\/large\?uploadId=\w+$/);

  ended.length = 0;
  const upload = (key: string, hours: number) =>
    `<Upload><Key>unfinished/${key}</Key><UploadId>id-${key}</UploadId><Initiated>${new Date(Date.now() - hours * 3_600_000).toISOString()}</Initiated></Upload>`;
  const pass = the.fault;
  the.fault = (asked) => {
    if (!asked.url.startsWith("/backups?uploads=&prefix=unfinished%2F")) return pass(asked);
    return {
      answer: (response) =>
        response.end(
          `<ListMultipartUploadsResult>${upload("old", 30)}${upload("new", 2)}</ListMultipartUploadsResult>`,
        ),
    };
  };
  assert.equal(await store.removeUnfinishedUploads(new Date(Date.now() - 86_400_000)), 1);
  assert.deepEqual(ended, ["/backups/unfinished/old?uploadId=id-old"]);
  // The server of this test does not list them.
  the.fault = () => undefined;
  assert.equal(await store.removeUnfinishedUploads(new Date()), 0);
});

test("a list goes on behind its first 1,000 keys, and more than 1,000 keys are removed", {
  skip,
}, async () => {
  const { store, the } = await storeFor("many");
  mkdirSync(join(the.folder, "many/log"), { recursive: true });
  const keys = Array.from({ length: 1_005 }, (_, n) => `log/${String(n).padStart(4, "0")}.zst`);
  // The server trips over folders that become empty under it.
  for (const key of [...keys, "log/kept"]) writeFileSync(join(the.folder, `many/${key}._S3rver_object`), "x");
  assert.deepEqual(await keysOf(store.list("log/")), [...keys, "log/kept"]);
  await store.remove(keys);
  assert.deepEqual(await keysOf(store.list()), ["log/kept"]);
  assert.equal(the.asked.filter(({ method }) => method === "POST").length, 2);
});

test("what is damaged on the way to the store is refused there, and what is damaged on the way back is not kept", {
  skip,
}, async () => {
  const { store, the, once } = await storeFor("damaged", { sizes: SMALL });
  for (const bytes of [3_000, 5_000]) {
    const content = randomBytes(bytes);
    once(({ method }) => method === "PUT", { damage: "request" });
    await assert.rejects(store.put(fileWith(content), "file"), { code: "XAmzContentSHA256Mismatch" });
    assert.equal(await store.head("file"), undefined);
    await store.put(fileWith(content), "file");
    once(({ method }) => method === "GET", { damage: "answer" });
    const got = target();
    await assert.rejects(store.get("file", got), /^Error: damaged\/file arrived damaged/);
    assert.ok(!existsSync(got) && !existsSync(`${got}.partial`));
    await store.remove(["file"]);
  }
  await store.put(fileWith("content"), "file");
  await assert.rejects(store.get("file", target(), { sha256: "0".repeat(64) }), /arrived damaged/);
  the.fault = () => undefined;
});

test("a download whose connection breaks again and again goes on where it broke", { skip }, async () => {
  const { store, the } = await storeFor("breaks");
  const content = randomBytes(300_000);
  await store.put(fileWith(content), "file");
  let left = 4;
  the.fault = () => (left-- > 0 ? { cut: 60_000 } : undefined);
  the.asked = [];
  const got = target();
  await store.get("file", got);
  assert.deepEqual(readFileSync(got), content);
  assert.equal(the.asked.length, 5);
  const ranges = the.asked.map(({ headers }) =>
    Number(/^bytes=(\d+)-$/.exec(headers.range ?? "bytes=0-")?.[1]),
  );
  assert.deepEqual(
    ranges,
    [...ranges].sort((a, b) => a - b),
  );
  assert.ok((ranges.at(-1) ?? 0) > 0);
});

test("what a store refuses for good is said in a sentence that says what to do, without any key, and is not tried again", {
  skip,
}, async () => {
  const { the, address } = await storeFor("refused");
  const failure = async (given: Partial<StoreAddress>, keys = KEYS, fault?: Fault) => {
    the.asked = [];
    the.fault = () => fault;
    const store = new Store({ ...address, ...given }, keys, { patience: HASTY });
    const error = await store.put(fileWith("content"), "file").catch((thrown: unknown) => thrown);
    assert.ok(error instanceof StoreError);
    assert.equal(the.asked.length, 1, error.message);
    assert.doesNotMatch(JSON.stringify(error) + error.stack, /S3RVER|hush|Signature=/);
    return error.message;
  };
  const refusal = (status: number, code: string, more?: Parameters<typeof refuse>[3]): Fault => ({
    answer: (response) => refuse(response, status, code, more),
  });
  const { endpoint } = address;
  assert.equal(
    await failure({}, { id: "hush", secret: "hush" }),
    `${endpoint} does not know the access key ID. Check BACKUP_S3_ACCESS_KEY_ID.`,
  );
  assert.equal(
    await failure({}, { ...KEYS, secret: "hush" }),
    `${endpoint} refused the signature of a request. Check that BACKUP_S3_SECRET_ACCESS_KEY belongs to BACKUP_S3_ACCESS_KEY_ID.`,
  );
  assert.equal(
    await failure({ bucket: "no-such" }),
    `${endpoint} has no bucket no-such. Create it, or correct the address.`,
  );
  assert.equal(
    await failure({}, KEYS, refusal(403, "AccessDenied")),
    'The access key may not write refused/file in s3://backups/refused ("In other words."). Give it the permissions that docs/operate/backup.md lists.',
  );
  assert.match(
    await failure(
      {},
      KEYS,
      refusal(403, "RequestTimeTooSkewed", { headers: { date: "Sat, 01 Jan 2000 00:00:00 GMT" } }),
    ),
    /^The clock of this machine \(20\S+Z\) differs too much from the clock of \S+ \(Sat, 01 Jan 2000 00:00:00 GMT\)\. Set it\.$/,
  );
  const moved =
    "The bucket backups is in the region eu-west-1, not us-east-1. Set region=eu-west-1 in the address.";
  const elements = "<Region>eu-west-1</Region>";
  for (const [status, code, more] of [
    [
      301,
      "PermanentRedirect",
      { headers: { "x-amz-bucket-region": "eu-west-1", location: `${endpoint}/x` } },
    ],
    [
      307,
      "TemporaryRedirect",
      { headers: { "x-amz-bucket-region": "eu-west-1", location: `${endpoint}/x` } },
    ],
    [400, "AuthorizationHeaderMalformed", { elements }],
  ] as const)
    assert.equal(await failure({}, KEYS, refusal(status, code, more)), moved);
  assert.equal(
    await failure({}, KEYS, refusal(400, "InvalidRequest")),
    `${endpoint} refused to write refused/file in s3://backups/refused: 400 InvalidRequest "In other words.".`,
  );
});

test("a server that is no S3 store is not taken for an empty one", { skip }, async () => {
  const { store, the, address } = await storeFor("web", { sizes: SMALL });
  const page = (status: number) => ({
    answer: (response: ServerResponse) => response.writeHead(status).end("<html>Nothing here</html>"),
  });
  for (const status of [200, 404]) {
    the.fault = () => page(status);
    const message = `${address.endpoint} answers ${status} as no S3 store does. Correct the endpoint of the address.`;
    await assert.rejects(listed(store.list()), { message });
    await assert.rejects(store.remove(["file"]), { message });
    await assert.rejects(store.put(fileWith(randomBytes(5_000)), "file"), { message });
    if (status === 404) await assert.rejects(store.readText("backup.json"), { message });
  }
});

test("a store that is busy, away or silent is tried again, and in the end nobody hangs", {
  skip,
}, async () => {
  const patience = { ...HASTY, againMs: 150, idleMs: 200 };
  const { store, the, address } = await storeFor("away", { patience });
  const path = fileWith("content");
  the.fault = () => busy;
  await assert.rejects(store.put(path, "file"), { code: "SlowDown", isTemporary: true });
  assert.ok(the.asked.length > 1);
  the.fault = () => ({ answer: () => undefined });
  await assert.rejects(store.put(path, "file"), /The connection to \S+ failed \(it was silent\)/);
  // One that sends a byte now and then is too slow all the same.
  the.fault = () => ({
    answer: (response) => {
      const drip = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(drip));
    },
  });
  await assert.rejects(listed(store.list()), /failed \(too slow\)/);
  const soon = { patience: { ...HASTY, againMs: 50 } };
  const nobody = new Store({ ...address, endpoint: "http://127.0.0.1:1" }, KEYS, soon);
  await assert.rejects(
    nobody.head("file"),
    /^StoreError: The connection to http:\/\/127\.0\.0\.1:1 failed \(ECONNREFUSED\)\.$/,
  );
  the.fault = () => ({ answer: () => undefined });
  const stopped = new Error("the service stops");
  const stopping = AbortSignal.timeout(20);
  const patient = new Store(address, KEYS);
  await assert.rejects(patient.put(path, "file", { signal: stopping }), { name: "TimeoutError" });
  await assert.rejects(patient.put(path, "file", { signal: AbortSignal.abort(stopped) }), stopped);
  // A file that cannot be read is no failure of the store.
  the.fault = () => undefined;
  await assert.rejects(store.put(join(local, "missing"), "file"), { code: "ENOENT" });
});

test("whoever stops an upload at any moment gets the reason, and nothing else happens", {
  skip,
}, async () => {
  const { store } = await storeFor("stopped");
  const path = fileWith("content");
  for (let rounds = 0; rounds < 60; rounds += 1) {
    const stopping = new AbortController();
    const reason = new Error("the service stops");
    const sent = store.put(path, "file", { signal: stopping.signal });
    const outcome = sent.then(() => "sent").catch((error: unknown) => error);
    for (let n = 0; n < rounds; n += 1) await new Promise(setImmediate);
    stopping.abort(reason);
    assert.ok(["sent", reason].includes((await outcome) as string));
  }
});

test("with Object Lock, each file is sent with a mode, a day and the checksum that S3 requires with it", {
  skip,
}, async () => {
  const { store, the } = await storeFor("locked", { sizes: SMALL, lock: { days: 30, mode: "COMPLIANCE" } });
  await store.put(fileWith("small"), "small");
  await store.put(fileWith(randomBytes(5_000)), "large");
  await store.put(fileWith(""), "empty");
  const locked = the.asked.filter(({ headers }) => headers["x-amz-object-lock-mode"] !== undefined);
  assert.deepEqual(
    locked.map(({ method, url }) => `${method} ${url}`),
    ["PUT /backups/locked/small", "POST /backups/locked/large?uploads=", "PUT /backups/locked/empty"],
  );
  for (const { headers } of locked) {
    assert.equal(headers["x-amz-object-lock-mode"], "COMPLIANCE");
    const until = Date.parse(String(headers["x-amz-object-lock-retain-until-date"]));
    assert.ok(Math.abs(until - Date.now() - 30 * 86_400_000) < 60_000);
    const signed = /SignedHeaders=(\S+),/.exec(headers.authorization ?? "")?.[1]?.split(";") ?? [];
    assert.ok(
      signed.includes("x-amz-object-lock-mode") && signed.includes("x-amz-object-lock-retain-until-date"),
    );
  }
  const sent = the.asked.filter(({ method }) => method === "PUT");
  assert.equal(sent.length, 7);
  assert.deepEqual(
    sent.filter(({ headers }) => headers["content-md5"] === undefined),
    [],
  );
});

test("a bucket is in the path or in the host name of a URL", () => {
  const url = (text: string) =>
    urlOf(readStoreAddress(text), { method: "GET", key: "a b", query: { x: "+ " } }).href;
  const query = "a%20b?x=%2B%20";
  assert.equal(url("s3://b-1?region=eu-west-1"), `https://b-1.s3.eu-west-1.amazonaws.com/${query}`);
  assert.equal(url("s3://b-1?endpoint=https://host:9"), `https://host:9/b-1/${query}`);
  assert.equal(url("s3://b-1?endpoint=https://host:9&forcePathStyle=false"), `https://b-1.host:9/${query}`);
  assert.equal(url("s3://b-1?endpoint=https://host/storage/s3/"), `https://host/storage/s3/b-1/${query}`);
});

test("a folder goes to a store with its last file at the end, and comes back without what does not belong there", {
  skip,
}, async () => {
  const { store, the } = await storeFor("folders");
  const folder = join(local, "folder");
  mkdirSync(join(folder, "log"), { recursive: true });
  for (const name of ["backup.json", "base.tar.zst", "log/1.zst", "log/2.partial"])
    writeFileSync(join(folder, name), name);
  // Whatever the clock of the file system says.
  utimesSync(join(folder, "backup.json"), 1_000, 1_000);
  const isLast = (path: string) => path === "backup.json";
  await sendFolder(
    store,
    { folder, isLast, isComplete: (path) => !path.endsWith(".partial") },
    "leadgate-1/",
  );
  assert.equal(the.asked.at(-1)?.url, "/backups/folders/leadgate-1/backup.json");
  writeFileSync(join(the.folder, "folders/leadgate-1/..\\x._S3rver_object"), "evil");
  const got = join(local, "fetched");
  assert.equal(await fetchFolder(store, "leadgate-1/", got), 3);
  assert.equal(readFileSync(join(got, "log/1.zst"), "utf8"), "log/1.zst");
  assert.equal(await fetchFolder(store, "leadgate-1/", join(local, "some"), { wants: isLast }), 1);
});
