/** Where an S3-compatible store keeps what is sent to it. */
export interface StoreAddress {
  bucket: string;
  /** What every key starts with, without slashes at its ends; empty for the whole bucket. */
  prefix: string;
  /** The URL of the server, without the bucket and without a slash at its end. */
  endpoint: string;
  region: string;
  /** Whether URLs have the bucket in their path, not in their host name. */
  pathStyle: boolean;
}

const SCHEME = "s3://";
const PARAMETERS = ["endpoint", "region", "forcePathStyle"];
const KEYS = "Set BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY instead.";

/** Whether a target is the address of a store, not a folder or a file. */
export const isStoreAddress = (text: string): boolean => text.startsWith(SCHEME);

/** The address for people: the bucket and the prefix. */
export const storeName = ({ bucket, prefix }: StoreAddress): string =>
  `${SCHEME}${bucket}${prefix === "" ? "" : `/${prefix}`}`;

/**
 * Reads `s3://bucket/prefix?endpoint=https://host&region=name&forcePathStyle=true`, the form that Litestream has too. Without
 * `endpoint` it is Amazon S3. Throws a sentence that names the wrong part, and never a password.
 */
export function readStoreAddress(text: string): StoreAddress {
  const [place = "", query = ""] = text.slice(SCHEME.length).split(/\?(.*)/s);
  if (!isStoreAddress(text)) throw new Error("The address of a store starts with s3://.");
  if (place.includes("@")) throw new Error(`The address of a store has no user and no password. ${KEYS}`);
  const [bucket = "", ...folders] = place.replace(/\/+$/, "").split("/");
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/.test(bucket))
    throw new Error(`The bucket is "${bucket}"; it must be the name of one, as in s3://bucket/folder.`);
  return { bucket, prefix: prefixOf(folders), ...serverOf(new URLSearchParams(query), bucket) };
}

function prefixOf(folders: readonly string[]): string {
  const prefix = folders.join("/");
  // Servers and URLs would read these in another way than they were written.
  if (folders.some((name) => ["", ".", ".."].includes(name)) || /[\p{Cc}\\#%]/u.test(prefix))
    throw new Error(
      `The folder in the bucket is "${prefix}"; it must be names with a slash between them, without . and .., %, # and \\.`,
    );
  return prefix;
}

function serverOf(
  query: URLSearchParams,
  bucket: string,
): Pick<StoreAddress, "endpoint" | "region" | "pathStyle"> {
  const unknown = [...query.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `The address of the store has the parameter "${unknown}"; it may have ${PARAMETERS.join(", ")}. ${/key|secret/i.test(unknown) ? KEYS : ""}`.trim(),
    );
  const [endpoint, region, style] = PARAMETERS.map((name) => query.get(name) || undefined);
  if (region !== undefined && !/^[A-Za-z0-9-]{1,60}$/.test(region))
    throw new Error(
      `The region of the store is "${region}"; it must be the name of one, such as eu-central-1.`,
    );
  if (style !== undefined && style !== "true" && style !== "false")
    throw new Error(`forcePathStyle of the store is "${style}"; it must be true or false.`);
  if (endpoint !== undefined)
    return {
      ...{ endpoint: endpointOf(endpoint), region: region ?? "us-east-1" },
      pathStyle: style !== "false",
    };
  if (region === undefined)
    throw new Error(
      "The address of the store has no endpoint and no region. Add ?region=eu-central-1 or another region of Amazon S3, or ?endpoint=https://host for another store.",
    );
  // The certificate of Amazon S3 covers no bucket with a dot.
  const pathStyle = style === undefined ? bucket.includes(".") : style === "true";
  return { endpoint: `https://s3.${region}.amazonaws.com`, region, pathStyle };
}

function endpointOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== "" || url.password !== ""))
    throw new Error(`The endpoint of the store has no user and no password. ${KEYS}`);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new Error(
      `The endpoint of the store is "${text}"; it must be an http or https URL, such as https://s3.example.com.`,
    );
  return url.href.replace(/\/+$/, "");
}
