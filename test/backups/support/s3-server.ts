import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { readStoreAddress, type StoreAddress } from "../../../src/core/store-address.ts";
import { fetchPackage } from "../../packages/fetch-package.ts";

const { skip, folder: s3rver } = await fetchPackage("s3rver", "@20minutes/s3rver");

/** Why the server cannot be started here, or false. */
export const noS3 = skip;
/** The only access key that the server knows. */
export const KEYS = { id: "S3RVER", secret: "S3RVER" };
const BUCKET = "backups";

/** A request that a store received. */
export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  bytes: number;
}

/** What happens to one request instead of what it asks for. */
export type Fault =
  | { answer: (response: ServerResponse, request: IncomingMessage) => void }
  /** The answer breaks off after so many bytes. */
  | { cut: number }
  /** A byte is changed on the way to the store, or from it. */
  | { damage: "request" | "answer" };

/** An S3 server, and in front of it one that keeps what it was asked for. */
export interface S3Server {
  /** The address of the server itself. */
  direct: StoreAddress;
  /** The address of the one in front, which checks checksums as S3 does. */
  address: StoreAddress;
  asked: Asked[];
  /** Returns what happens to a request; undefined passes it on. */
  fault: (asked: Asked) => Fault | undefined;
  /** The folder in which the server keeps the files of the bucket. */
  folder: string;
  stop(): Promise<void>;
}

const CUT_MS = 50;

/** Runs the server in a process of its own. */
const MAIN = `
  const S3rver = require(process.argv[1]);
  new S3rver({ port: 0, address: "127.0.0.1", silent: true, directory: process.argv[2] }).run()
    .then(({ port }) => console.log(port));
  process.stdin.on("end", () => process.exit()).resume();
`;

export async function s3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), "leadgate-s3-"));
  const folder = join(directory, BUCKET);
  mkdirSync(folder);
  // Its continuation tokens are encrypted with DES.
  const child = spawn(process.execPath, ["--openssl-legacy-provider", "-e", MAIN, s3rver, directory], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const port = Number(String((await once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data"))[0]));
  const front = createServer((request, response) => void handle(request, response));
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  const addressAt = (at: number) => readStoreAddress(`s3://${BUCKET}/leads?endpoint=http://127.0.0.1:${at}`);
  const the: S3Server = {
    direct: addressAt(port),
    address: addressAt((front.address() as AddressInfo).port),
    ...{ asked: [], fault: () => undefined, folder },
    async stop() {
      front.closeAllConnections();
      front.close();
      child.stdin?.end();
      await once(child, "exit");
      rmSync(directory, { recursive: true });
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const asked = { method, url, headers, bytes: Number(headers["content-length"] ?? 0) };
    the.asked.push(asked);
    const fault = the.fault(asked);
    if (fault !== undefined && "answer" in fault) return fault.answer(response, request);
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    if (fault !== undefined && "damage" in fault && fault.damage === "request") damage(body);
    const code = wrongChecksum(headers, body);
    if (code !== undefined) return refuse(response, 400, code);
    // The server does not know conditional requests.
    if (headers["if-none-match"] === "*" && existsSync(join(directory, `${decodeURI(url)}._S3rver_object`)))
      return refuse(response, 412, "PreconditionFailed");
    const passed = send({ port, method, path: url, headers }, async (answer) => {
      const content = await buffer(answer);
      if (fault !== undefined && "damage" in fault && fault.damage === "answer") damage(content);
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      if (fault === undefined || !("cut" in fault)) return response.end(content);
      // What was sent is read first.
      response.write(content.subarray(0, fault.cut), () => setTimeout(() => response.destroy(), CUT_MS));
    });
    passed.end(body);
  }
  return the;
}

function damage(bytes: Buffer): void {
  bytes[0] = (bytes[0] ?? 0) ^ 1;
}

/** The code with which S3 refuses a body that is not as its request says; the server in the test does not look. */
function wrongChecksum(headers: IncomingHttpHeaders, body: Buffer): string | undefined {
  const of = (algorithm: string, form: "hex" | "base64") => createHash(algorithm).update(body).digest(form);
  if (headers["x-amz-content-sha256"] !== of("sha256", "hex")) return "XAmzContentSHA256Mismatch";
  const md5 = headers["content-md5"];
  return md5 !== undefined && md5 !== of("md5", "base64") ? "BadDigest" : undefined;
}

/** Answers as S3 does to what it does not perform. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  { elements = "", headers = {} }: { elements?: string; headers?: Record<string, string> } = {},
): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>In other words.</Message>${elements}</Error>`;
  response.writeHead(status, { "content-type": "application/xml", ...headers }).end(text);
}
