import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { answerCommands } from "../../src/cli/instance/answer.ts";
import { databaseOf } from "../../src/cli/instance/messages.ts";
import { placeOf } from "../../src/cli/instance/place.ts";
import { mailbox } from "../accounts/support/mailbox.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { performing } from "./support/answering.ts";
import { leadgate, ran } from "./support/leadgate.ts";

const PASSWORD = "a long sentence with horses";
const isLinux = process.platform === "linux";

/** Another user may enter the folder only with these rights. */
const NOBODY = 65_534;
const noOther = process.getuid?.() === 0 ? false : "only root can run a command as another user";

/** A folder for one test. */
async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "leadgate-alone-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What an instance answers to a first line, until it closes the connection. */
async function answered(socket: string, ...lines: unknown[]): Promise<string> {
  const client = connect(socket);
  await once(client, "connect");
  for (const line of lines) client.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  let text = "";
  client.on("data", (data: Buffer) => {
    text += data.toString();
  });
  client.on("error", () => undefined);
  return await new Promise((resolve) => client.once("close", () => resolve(text)));
}

/** Listens as an instance does; `answer` gets a client when its first line has arrived. */
async function pretending(dataDir: string, answer: (client: Socket) => void): Promise<Server> {
  await mkdir(join(dataDir, "commands"), { mode: 0o700 });
  const server = createServer((client) => void client.once("data", () => answer(client)));
  server.listen(join(dataDir, "commands/socket"));
  await once(server, "listening");
  return server;
}

/** How many connections the instance has, by the list of the system. */
const connectionsOf = (socket: string): number =>
  readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .filter((line) => / 03 +\d+ .*$/.test(line) && line.endsWith(socket)).length;

/** Runs some command that has no setting but DATA_DIR. */
const commandOn = (dataDir: string) =>
  ran(["person", "reset-password", "--email", "a@example.org"], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir },
    input: "",
  });

test("a command without settings is performed by the running instance: its links have the URL of the service", async () => {
  await using performer = await performing();
  const { the, leadgate } = performer;
  const reset = await leadgate(["person", "reset-password", "--email", the.person.email, "--json"]);
  assert.deepEqual([reset.code, reset.err], [0, ""]);
  const { id, link } = JSON.parse(reset.out) as { id: string; link: string };
  assert.equal(id, the.person.id);
  assert.ok(link.startsWith(`${the.authUrl}/reset/`), link);
  assert.equal((await the.browser().get(new URL(link).pathname)).status, 200);
});

test("what a command prints and its exit code are the same, whether the instance or its own process performs it", async () => {
  await using performer = await performing();
  const { the } = performer;
  for (const words of [
    ["project", "create", "--name", "x", "--owner", "nobody@example.org"],
    ["project", "change", "--project", the.project.id],
  ]) {
    const [there, here] = [await performer.leadgate(words), await leadgate(the, words)];
    assert.deepEqual(there, here, words.join(" "));
  }
});

test("an import reads the files of the client, which the instance need not be able to read", async (t) => {
  await using performer = await performing({ alone: true });
  const { the, leadgate } = performer;
  const folder = await folderFor(t);
  const [file, mapping] = [join(folder, "leads.csv"), join(folder, "mapping.json")];
  const rows = Array.from({ length: 3_000 }, (_, n) => `n${n}@example.org,Name ${n} ${"x".repeat(40)}\n`);
  await writeFile(file, `Mail,Who\n${rows.join("")}`);
  await writeFile(mapping, '{"columns":{"Mail":"email","Who":"name"}}');
  const words = ["import", "leads", "--project", the.project.id, "--file", relative(".", file)];
  const done = await leadgate([...words, "--mapping", mapping, "--json"]);
  assert.equal(done.code, 0, done.err);
  const { created, failed } = JSON.parse(done.out) as { created: number; failed: number };
  assert.deepEqual([created, failed], [3_000, 0]);
  const [record] = await the.sql("SELECT file_name, state FROM store.import");
  assert.deepEqual(record, { file_name: "leads.csv", state: "done" });
});

test("with the mail server of the instance, an invitation is mailed", async () => {
  await using mail = await mailbox();
  await using performer = await performing({ env: { SMTP_URL: mail.url } });
  const invite = ["member", "invite", "--project", performer.the.project.id, "--role", "viewer", "--json"];
  const invited = await performer.leadgate([...invite, "--email", "n@example.org"]);
  const { id, ...rest } = JSON.parse(invited.out) as { id: string };
  assert.deepEqual([rest, mail.letters.length], [{ mailed: true }, 1], invited.err);
  assert.match(id, /^inv_/);
});

test("only the user of the service and root can open the socket; others learn who may", {
  skip: noOther,
}, async () => {
  await using performer = await performing();
  const { dataDir, socket } = performer;
  assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700);
  assert.equal(statSync(socket).mode & 0o777, 0o600);
  await chmod(dirname(dataDir), 0o755);
  const options = {
    uid: NOBODY,
    env: { DATA_DIR: dataDir, PATH: process.env.PATH ?? "" },
    encoding: "utf8",
  } as const;
  const words = ["person", "reset-password", "--email", "a@example.org"];
  const { status, stderr } = spawnSync(process.execPath, ["src/main.ts", ...words], options);
  assert.equal(status, 1);
  assert.match(stderr, /^leadgate: Only root and the user of the service can run commands on /);
});

test("no command is sent to a socket in a folder that others can enter", async (t) => {
  const dataDir = await folderFor(t);
  await mkdir(join(dataDir, "commands"), { mode: 0o755 });
  const refused = await commandOn(dataDir);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^leadgate: Other users can enter .*commands, so no command is sent there\./);
});

test("garbage, long lines, a dead client and clients that say nothing do not keep the instance from its commands", async () => {
  await using performer = await performing();
  const { socket, leadgate } = performer;
  const silent = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const client: Socket = connect(socket);
      await once(client, "connect");
      return client;
    }),
  );
  for (const garbage of ["GET / HTTP/1.1", "[]", "null", '{"protocol":1}', { protocol: 1, words: [7] }])
    assert.equal(await answered(socket, garbage), "");
  assert.equal(await answered(socket, "x".repeat(3_000_000)), "");
  assert.match(await answered(socket, { protocol: 2, words: [] }), /Restart the service/);
  const command = { protocol: 1, words: ["secret-keys", "--json"], database: null };
  const gone = connect(socket).on("error", () => undefined);
  gone.end(`${JSON.stringify(command)}\n`);
  gone.destroySoon();
  assert.equal(await answered(socket, command, { read: 9, data: "" }), "", "it sent what was not asked for");
  const create = ["person", "create", "--email", "ana@example.org", "--name", "Ana", "--password-stdin"];
  const created = await leadgate(create, {}, `${PASSWORD}\n`);
  assert.match(created.out, /^id: per_/, created.err);
  for (const client of silent) client.destroy();
});

large(
  "a client that is interrupted ends its import, which can be run again",
  {
    skip: !isLinux,
  },
  async (t) => {
    await using performer = await performing({ alone: true });
    const { the, dataDir, leadgate } = performer;
    const folder = await folderFor(t);
    const file = join(folder, "leads.csv");
    assert.equal(spawnSync("mkfifo", [file]).status, 0);
    const words = ["import", "leads", "--project", the.project.id, "--file", file];
    const child = spawn(process.execPath, ["src/main.ts", ...words], { env: { DATA_DIR: dataDir } });
    const writer = await open(file, "w");
    await writer.write("email,name\n");
    child.kill("SIGINT");
    assert.deepEqual(await once(child, "exit"), [null, "SIGINT"]);
    await writer.close();
    await rm(file);
    await writeFile(file, "email,name\na@example.org,A\n");
    assert.match((await leadgate(words)).out, /^created: 1$/m);
  },
);

test("an instance that stops ends a command that waits for its client, who learns that it ended", async (t) => {
  await using performer = await performing();
  const client = connect(performer.socket);
  const create = ["person", "create", "--email", "a@example.org", "--name", "A", "--password-stdin"];
  client.write(`${JSON.stringify({ protocol: 1, words: create, database: null })}\n`);
  const [asked] = (await once(client, "data")) as [Buffer];
  assert.equal(asked.toString(), '{"read":1}\n', "the password is typed");
  const closed = once(client, "end");
  await performer.answering.stop(0);
  await closed;
  const dataDir = await folderFor(t);
  const instance = await pretending(dataDir, (other) => other.destroy());
  const ended = await commandOn(dataDir);
  instance.close();
  assert.equal(ended.code, 1);
  assert.match(ended.err, /^leadgate: The running instance ended while it performed the command\./);
});

test("a client gives the instance no file that its command line does not name", async (t) => {
  const dataDir = await folderFor(t);
  const said: string[] = [];
  const instance = await pretending(dataDir, (client) => {
    client.write('{"read":1,"path":"/etc/passwd"}\n');
    client.once("data", (data: Buffer) => {
      said.push(data.toString());
      client.end('{"code":3}\n');
    });
  });
  const { code } = await commandOn(dataDir);
  instance.close();
  assert.equal(code, 3);
  assert.deepEqual(
    said.map((line) => JSON.parse(line)),
    [{ read: 1, failed: "The command line does not name this file." }],
  );
});

test("the socket of a killed instance is replaced; of two instances with one data folder, the second takes it when the first ends", async (t) => {
  await using first = await performing();
  const dataDir = join(await folderFor(t), "data");
  await mkdir(join(dataDir, "commands"), { recursive: true, mode: 0o700 });
  const killed =
    "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))";
  spawnSync(process.execPath, ["-e", killed, join(dataDir, "commands/socket")]);
  assert.ok(existsSync(join(dataDir, "commands/socket")));
  const config = { ...first.the.config, dataDir };
  const one = await answerCommands(config, first.the);
  const two = await answerCommands(config, first.the);
  const answers = () =>
    answered(join(dataDir, "commands/socket"), "garbage").then(
      () => true,
      () => false,
    );
  assert.ok(await answers());
  await one.stop(0);
  assert.equal(await answers(), false);
  while (!(await answers())) await sleep(50);
  await two.stop(0);
  assert.equal(existsSync(join(dataDir, "commands/socket")), false);
});

test("a command with the DATABASE_URL of another service is not performed by the instance of its data folder", async () => {
  await using performer = await performing();
  const words = ["person", "reset-password", "--email", performer.the.person.email];
  const env = { DATABASE_URL: "postgres://leadgate:secret@db.example/leadgate" };
  assert.match(
    (await performer.leadgate(words, env)).err,
    /AUTH_URL is not given/,
    "its own settings are used",
  );
  const database = databaseOf(performer.the.databaseUrl);
  const asked = (database: unknown) =>
    answered(performer.socket, { protocol: 1, words: ["health"], database });
  assert.equal(await asked(databaseOf(env.DATABASE_URL)), '{"elsewhere":true}\n');
  assert.match(await asked(database), /does not perform \\"health\\".*"code":1/s);
  const names = ["postgres://u:p@Db.example/x?sslmode=require", "postgres://db.example:5432/x"].map(
    databaseOf,
  );
  assert.deepEqual(names, ["db.example:5432/x", "db.example:5432/x"]);
});

test("an instance whose data folder cannot hold a socket serves all the same, and logs it", {
  skip: !isLinux,
}, async () => {
  await using the = await world();
  const logged: string[] = [];
  const log = pino({}, { write: (line) => void logged.push(line) });
  const service = { ...the.service, log };
  const answering = await answerCommands({ ...the.config, dataDir: "/dev/null/data" }, { ...the, service });
  await answering.stop(0);
  assert.match(
    logged.join(""),
    /this instance performs no commands: it cannot make a socket in \/dev\/null\/data/,
  );
});

test("a data folder with a path that is too long for a socket works too", { skip: !isLinux }, async (t) => {
  await using the = await world();
  const dataDir = join(await folderFor(t), "a".repeat(100), "data");
  const answering = await answerCommands({ ...the.config, dataDir }, the);
  const { path, release } = placeOf(dataDir);
  assert.match(await answered(path, { protocol: 2, words: [] }), /Restart the service/);
  release();
  await answering.stop(0);
  assert.equal(existsSync(join(dataDir, "commands/socket")), false);
});

test("without a running instance, a command whose links need AUTH_URL is refused unless it is given", async (t) => {
  await using the = await world();
  const env: Record<string, string> = { ...the.env, DATA_DIR: await folderFor(t) };
  delete env.AUTH_URL;
  for (const words of [
    ["person", "reset-password", "--email", the.person.email],
    ["member", "invite", "--project", the.project.id, "--email", "n@example.org", "--role", "viewer"],
  ]) {
    const refused = await leadgate({ ...the, env }, words);
    assert.deepEqual([refused.code, refused.out], [1, ""]);
    assert.match(refused.err, /^leadgate: AUTH_URL is not given, and no running instance answers/);
  }
  assert.deepEqual(await the.sql("SELECT FROM reset_link WHERE person_id = $1", [the.person.id]), []);
});

test("without a running instance and without SMTP_URL, a command says that it mailed nothing", async (t) => {
  await using the = await world();
  const env = { ...the.env, DATA_DIR: await folderFor(t) };
  const invite = ["member", "invite", "--project", the.project.id, "--role", "viewer", "--json", "--email"];
  const said =
    /SMTP_URL is not given, and no running instance answers that knows it: the invitation was not mailed\./;
  const invited = await leadgate({ ...the, env }, [...invite, "n@example.org"]);
  assert.match(invited.err, said);
  const { link, note } = JSON.parse(invited.out) as { link: string; note: string };
  assert.match(note, said);
  assert.ok(link.startsWith(the.authUrl));
  const without = await leadgate({ ...the, env: { ...env, SMTP_URL: "" } }, [...invite, "m@example.org"]);
  assert.deepEqual([without.err, Object.keys(JSON.parse(without.out))], ["", ["id", "link"]]);
});

test("a command makes no embedded database in the data folder of a service that has DATABASE_URL and does not run", async () => {
  await using performer = await performing();
  await performer.answering.stop(0);
  const refused = await performer.leadgate(["project", "create", "--name", "x", "--owner", "a@example.org"]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /No running instance answers in .*, and the last one there had a DATABASE_URL/);
  assert.equal(existsSync(join(performer.dataDir, "postgres")), false);
});

large(
  "a service that is killed while it performs a command leaves its client a sentence, and the next one performs commands",
  { skip: !isLinux },
  async () => {
    await using the = await world();
    const { DATA_DIR = "", PATH = process.env.PATH ?? "" } = the.env;
    const first = await instance(the, "worker");
    const create = ["person", "create", "--email", "killed@example.org", "--name", "K", "--password-stdin"];
    const child = spawn(process.execPath, ["src/main.ts", ...create], { env: { DATA_DIR, PATH } });
    const socket = join(DATA_DIR, "commands/socket");
    const said = text(child.stderr);
    // Its password is not typed yet: the instance waits for it when it is killed.
    while (connectionsOf(socket) < 1) await sleep(20);
    const ended = once(child, "exit");
    await first.end("SIGKILL");
    assert.deepEqual(await ended, [1, null]);
    assert.match(await said, /^leadgate: The running instance ended while it performed the command\./);
    assert.ok(existsSync(socket), "a killed process leaves its socket");
    const second = await instance(the, "worker");
    const words = ["person", "reset-password", "--email", the.person.email];
    const { out, err } = await ran(words, { env: { DATA_DIR, PATH }, input: "" });
    assert.ok(out.includes(`link: ${second.authUrl}/reset/`), err);
    assert.equal(await second.end("SIGTERM"), 0);
    assert.equal(existsSync(socket), false);
  },
);
