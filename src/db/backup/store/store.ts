import { type StoreAddress, storeName } from "../../../core/store-address.ts";
import { type Call, Connection, type Patience, type StoreKeys } from "./connection.ts";
import { type DownloadOptions, download } from "./download.ts";
import { checkRoot, StoreError } from "./store-error.ts";
import {
  type ObjectLock,
  removeUnfinishedUploads,
  type UploadOptions,
  type UploadSizes,
  upload,
} from "./upload.ts";
import { elementsIn, escaped, textIn } from "./xml.ts";

/** A file in a store. */
export interface StoredFile {
  /** Without the prefix of the store. */
  key: string;
  bytes: number;
  modified: Date;
}

export interface StoreOptions {
  /** Protects every file that is sent. */
  lock?: ObjectLock | undefined;
  patience?: Partial<Patience>;
  sizes?: UploadSizes;
}

interface Stoppable {
  signal?: AbortSignal | undefined;
}

/** S3 removes at most 1,000 keys by one request. */
const MOST_REMOVED = 1_000;

/**
 * An S3-compatible store of files. Keys are relative to the prefix of its address. What fails throws a StoreError, whose message is a
 * sentence for the operator; failures that pass are tried again first.
 */
export class Store {
  /** The address for people. */
  readonly name: string;
  readonly #connection: Connection;
  readonly #options: StoreOptions;

  constructor(address: StoreAddress, keys: StoreKeys, options: StoreOptions = {}) {
    this.name = storeName(address);
    this.#connection = new Connection(address, keys, options.patience);
    this.#options = options;
  }

  /** Sends a file to a key. */
  async put(
    path: string,
    key: string,
    options: Pick<UploadOptions, "sha256" | "signal"> = {},
  ): Promise<void> {
    const { lock, sizes } = this.#options;
    await upload(this.#connection, path, this.#whole(key), { ...options, lock, sizes });
  }

  /**
   * Sends a short file to a key that has none; of several that try, one succeeds. Nothing happens if there is one. A store that does
   * not know conditional requests gets a usual one.
   */
  async putFirst(path: string, key: string, { signal }: Stoppable = {}): Promise<void> {
    const { lock, sizes } = this.#options;
    const options = { lock, sizes, signal };
    await upload(this.#connection, path, this.#whole(key), { ...options, isFirst: true }).catch(
      async (error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
        if (error.code === "NotImplemented")
          return await upload(this.#connection, path, this.#whole(key), options);
        if (error.code !== "PreconditionFailed") throw error;
      },
    );
  }

  /** Writes the file of a key to a path, whose folders are created. */
  async get(key: string, path: string, options: DownloadOptions = {}): Promise<void> {
    await download(this.#connection, this.#whole(key), path, options);
  }

  /** Returns a short file as text; undefined if there is none. */
  async readText(key: string, { signal }: Stoppable = {}): Promise<string | undefined> {
    return await this.#unlessMissing(this.#connection.text({ method: "GET", key: this.#whole(key), signal }));
  }

  /** Returns what a store has at a key; undefined if there is nothing. */
  async head(key: string, { signal }: Stoppable = {}): Promise<StoredFile | undefined> {
    const call = { method: "HEAD", key: this.#whole(key), signal } as const;
    return await this.#unlessMissing(
      this.#connection.send(call, ({ headers }) => ({
        ...{ key, bytes: Number(headers["content-length"]) },
        modified: new Date(headers["last-modified"] ?? ""),
      })),
    );
  }

  /** The files whose keys start with a text, in the order of their keys. */
  async *list(start = "", { signal }: Stoppable = {}): AsyncGenerator<StoredFile> {
    const prefix = this.#whole(start);
    for (let token: string | undefined = ""; token !== undefined; ) {
      const next = token === "" ? {} : { "continuation-token": token };
      const query = { "list-type": "2", ...(prefix === "" ? {} : { prefix }), ...next };
      const page = await this.#ask({ method: "GET", query, signal }, "ListBucketResult");
      for (const each of elementsIn(page, "Contents"))
        yield {
          key: (textIn(each, "Key") ?? "").slice(this.#whole("").length),
          bytes: Number(textIn(each, "Size")),
          modified: new Date(textIn(each, "LastModified") ?? ""),
        };
      token = textIn(page, "IsTruncated") === "true" ? textIn(page, "NextContinuationToken") : undefined;
    }
  }

  /** Removes files; keys that do not exist do no harm. */
  async remove(keys: readonly string[], { signal }: Stoppable = {}): Promise<void> {
    for (let from = 0; from < keys.length; from += MOST_REMOVED) {
      const objects = keys
        .slice(from, from + MOST_REMOVED)
        .map((key) => `<Object><Key>${escaped(this.#whole(key))}</Key></Object>`);
      const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join("")}</Delete>`);
      const call = { method: "POST", query: { delete: "" }, body, signal } as const;
      const [failed] = elementsIn(await this.#ask(call, "DeleteResult"), "Error");
      if (failed === undefined) continue;
      const asked = { method: "DELETE", key: textIn(failed, "Key") };
      const failure = {
        code: textIn(failed, "Code") ?? "Error",
        words: textIn(failed, "Message"),
        status: 200,
      };
      throw new StoreError(this.#connection.address, asked, failure);
    }
  }

  /** Removes large uploads that were begun before a time and never completed; returns how many. */
  async removeUnfinishedUploads(before: Date, { signal }: Stoppable = {}): Promise<number> {
    return await removeUnfinishedUploads(this.#connection, { prefix: this.#whole(""), before, signal });
  }

  async #ask(call: Call, root: string): Promise<string> {
    return checkRoot(this.#connection.address, call, await this.#connection.text(call), root);
  }

  #whole(key: string): string {
    const { prefix } = this.#connection.address;
    return prefix === "" ? key : `${prefix}/${key}`;
  }

  async #unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
    return await answer.catch((error: unknown) => {
      if (error instanceof StoreError && error.code === "NoSuchKey") return undefined;
      throw error;
    });
  }
}
