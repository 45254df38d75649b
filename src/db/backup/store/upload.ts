import { stat } from "node:fs/promises";
import { type Connection, type FilePart, textOf } from "./connection.ts";
import { digestsOf } from "./digests.ts";
import { checkRoot, StoreError } from "./store-error.ts";
import { elementsIn, escaped, textIn } from "./xml.ts";

const MIB = 1_048_576;
/** S3 allows at most 10,000 parts. */
const MOST_PARTS = 10_000;
/** How long an upload that is given up may take to say so. */
const ABORT_MS = 5_000;

/** From which size on a file is sent in parts, and how large they are. */
export interface UploadSizes {
  singleBytes: number;
  partBytes: number;
}

const SIZES: UploadSizes = { singleBytes: 64 * MIB, partBytes: 16 * MIB };

/** Protects what is sent from being changed or removed for some days (S3 Object Lock). */
export interface ObjectLock {
  days: number;
  /** COMPLIANCE binds everybody; GOVERNANCE can be lifted with a permission of its own. */
  mode: "COMPLIANCE" | "GOVERNANCE";
}

export interface UploadOptions {
  /** The SHA-256 of the file in hexadecimal, if it is known. */
  sha256?: string | undefined;
  lock?: ObjectLock | undefined;
  sizes?: UploadSizes | undefined;
  signal?: AbortSignal | undefined;
  /** The store refuses it with `PreconditionFailed` if the key has a file. Only for files that are not sent in parts. */
  isFirst?: boolean;
}

/** The name under which the SHA-256 of a whole file is kept with it. */
export const SHA256_HEADER = "x-amz-meta-sha256";

/** Sends a file to a key; the store refuses it, or a part of it, if it arrives damaged. */
export async function upload(
  connection: Connection,
  path: string,
  key: string,
  { sha256, lock, sizes = SIZES, signal, isFirst = false }: UploadOptions,
): Promise<void> {
  const { size: bytes } = await stat(path);
  // Content-MD5 is what all stores with Object Lock accept as the checksum that it requires.
  const partOf = async (start: number, length: number): Promise<FilePart> => ({
    ...{ path, start, bytes: length },
    digests: await digestsOf(path, { start, bytes: length, md5: lock !== undefined }),
  });
  const isWhole = bytes <= sizes.singleBytes;
  const whole = isWhole || sha256 === undefined ? await partOf(0, bytes) : undefined;
  const known = sha256 ?? whole?.digests.sha256 ?? "";
  const condition = isFirst ? { "if-none-match": "*" } : {};
  const headers = { [SHA256_HEADER]: known, ...lockHeaders(lock), ...condition };
  if (isWhole && whole !== undefined) {
    await connection.send({ method: "PUT", key, headers, body: whole, signal }, textOf);
    return;
  }
  const begin = { method: "POST", key, query: { uploads: "" }, headers, signal } as const;
  const begun = checkRoot(connection.address, begin, await connection.text(begin), "UploadId");
  const uploadId = textIn(begun, "UploadId") ?? "";
  try {
    const tags: string[] = [];
    const length = partBytesOf(bytes, sizes);
    for (let start = 0; start < bytes; start += length) {
      const body = await partOf(start, Math.min(length, bytes - start));
      const query = { partNumber: `${tags.length + 1}`, uploadId };
      const call = { method: "PUT", key, query, body, signal } as const;
      tags.push(
        await connection.send(call, ({ headers: { etag = "" } }) => etag, connection.patience.partAgainMs),
      );
    }
    await complete(connection, key, { uploadId, tags, bytes, sha256: known, signal });
  } catch (error) {
    await abortUpload(connection, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** How large the parts of a file are. */
export function partBytesOf(bytes: number, { partBytes }: UploadSizes = SIZES): number {
  const least = bytes / MOST_PARTS;
  return least <= partBytes ? partBytes : Math.ceil(least / MIB) * MIB;
}

/** The day until which a file is protected, from now on. */
function lockHeaders(lock: ObjectLock | undefined): Record<string, string> {
  if (lock === undefined) return {};
  return {
    "x-amz-object-lock-mode": lock.mode,
    "x-amz-object-lock-retain-until-date": new Date(Date.now() + lock.days * 86_400_000).toISOString(),
  };
}

interface Completion {
  uploadId: string;
  tags: readonly string[];
  bytes: number;
  sha256: string;
  signal: AbortSignal | undefined;
}

async function complete(
  connection: Connection,
  key: string,
  { uploadId, tags, bytes, sha256, signal }: Completion,
): Promise<void> {
  const parts = tags.map(
    (tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
  );
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  const call = { method: "POST", key, query: { uploadId }, body, signal } as const;
  const read = async (answer: Parameters<typeof textOf>[0]) => {
    const text = await textOf(answer);
    // S3 may find a failure only after it has started to answer with 200.
    if (textIn(text, "ETag") !== undefined) return;
    const code = textIn(text, "Code") ?? "no ETag";
    throw new StoreError(connection.address, call, { code, status: 500, words: textIn(text, "Message") });
  };
  await connection.send(call, read, connection.patience.partAgainMs).catch(async (error: unknown) => {
    // If the answer to an earlier attempt was lost, the upload is complete and gone.
    if (!(error instanceof StoreError) || error.code !== "NoSuchUpload") throw error;
    const isThere = await connection.send(
      { method: "HEAD", key, signal },
      ({ headers }) => Number(headers["content-length"]) === bytes && headers[SHA256_HEADER] === sha256,
    );
    if (!isThere) throw error;
  });
}

async function abortUpload(connection: Connection, key: string, uploadId: string): Promise<void> {
  const signal = AbortSignal.timeout(ABORT_MS);
  await connection.text({ method: "DELETE", key, query: { uploadId }, signal });
}

/**
 * Removes the uploads under a prefix that were begun before a time and never completed; returns how many. A store that does not list
 * them has none.
 */
export async function removeUnfinishedUploads(
  connection: Connection,
  { prefix, before, signal }: { prefix: string; before: Date; signal?: AbortSignal | undefined },
): Promise<number> {
  const query = { uploads: "", prefix };
  const list = await connection.text({ method: "GET", query, signal }).catch((error: unknown) => {
    if (error instanceof StoreError && error.code === "NotImplemented") return "";
    throw error;
  });
  const old = elementsIn(list, "Upload").filter(
    (each) => Date.parse(textIn(each, "Initiated") ?? "") < before.getTime(),
  );
  for (const each of old)
    await abortUpload(connection, textIn(each, "Key") ?? "", textIn(each, "UploadId") ?? "");
  return old.length;
}
