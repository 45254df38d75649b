import { type StoreAddress, storeName } from "../../../core/store-address.ts";
import { textIn } from "./xml.ts";

/** What a store said of a request that it did not perform, or what happened to the connection. */
interface Failure {
  /** S3's code, such as `SlowDown`, or that of the connection, such as `ECONNREFUSED`. */
  code: string;
  status?: number | undefined;
  /** What the store said in its own words. */
  words?: string | undefined;
  /** The region in which the store has the bucket. */
  region?: string | undefined;
  /** The time of the store. */
  date?: string | undefined;
  retryAfter?: string | undefined;
}

/** The request to which a store said no. */
interface Asked {
  method: string;
  key?: string | undefined;
}

/** Codes after which the same request may succeed. Status 5xx, 408 and 429 are temporary too. */
const TEMPORARY = [
  ...["SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "OperationAborted"],
  "ConditionalRequestConflict",
];

/** A store that did not do what it was asked for. Its message is a sentence for the operator, without any key. */
export class StoreError extends Error {
  readonly code: string;
  readonly status: number | undefined;
  /** Whether the same request may succeed later without anybody doing anything. */
  readonly isTemporary: boolean;
  /** How long the store asked to wait. */
  readonly pauseMs: number;

  constructor(address: StoreAddress, asked: Asked, failure: Failure, options?: ErrorOptions) {
    super(sentenceOf(address, asked, failure), options);
    const { code, status, retryAfter } = failure;
    this.name = "StoreError";
    this.code = code;
    this.status = status;
    const isBusy = status !== undefined && ((status >= 500 && status !== 501) || [408, 429].includes(status));
    this.isTemporary = isBusy || status === undefined || TEMPORARY.includes(code);
    this.pauseMs = /^\d{1,3}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1_000 : 0;
  }
}

/** The code of an answer that no S3 store gives. */
const NO_S3 = "NoS3";

/** Returns an answer whose root is the element that S3 answers with; throws a StoreError for another one. */
export function checkRoot(address: StoreAddress, asked: Asked, text: string, root: string): string {
  if (new RegExp(`<${root}[\\s/>]`).test(text)) return text;
  throw new StoreError(address, asked, { code: NO_S3, status: 200 });
}

/** Reads the answer to a request that was refused; `body` is empty for HEAD. */
export function refusalOf(
  address: StoreAddress,
  asked: Asked,
  answer: { statusCode?: number | undefined; headers: Record<string, string | string[] | undefined> },
  body: string,
): StoreError {
  const status = answer.statusCode ?? 0;
  const header = (name: string): string | undefined => answer.headers[name]?.toString();
  const known = status === 404 && asked.method !== "HEAD" ? undefined : CODES[status];
  return new StoreError(address, asked, {
    code: textIn(body, "Code") ?? known ?? NO_S3,
    status,
    words: textIn(body, "Message")?.slice(0, 300),
    region: textIn(body, "Region") ?? header("x-amz-bucket-region"),
    date: header("date"),
    retryAfter: header("retry-after"),
  });
}

/** What a status means where the answer has no code. */
const CODES: Record<number, string> = {
  301: "PermanentRedirect",
  307: "TemporaryRedirect",
  403: "AccessDenied",
  404: "NoSuchKey",
  412: "PreconditionFailed",
  429: "SlowDown",
  503: "SlowDown",
};

const VERBS: Record<string, string> = {
  GET: "read",
  HEAD: "read",
  PUT: "write",
  POST: "write",
  DELETE: "delete",
};

function sentenceOf(
  address: StoreAddress,
  { method, key }: Asked,
  { code, status, words, region, date }: Failure,
): string {
  const store = storeName(address);
  const { bucket, endpoint } = address;
  const what =
    key === undefined ? `list or delete the keys of ${store}` : `${VERBS[method]} ${key} in ${store}`;
  switch (code) {
    case "InvalidAccessKeyId":
      return `${endpoint} does not know the access key ID. Check BACKUP_S3_ACCESS_KEY_ID.`;
    case "SignatureDoesNotMatch":
      return `${endpoint} refused the signature of a request. Check that BACKUP_S3_SECRET_ACCESS_KEY belongs to BACKUP_S3_ACCESS_KEY_ID.`;
    case "AccessDenied":
    case "AllAccessDisabled":
      return `The access key may not ${what}${words === undefined ? "" : ` ("${words}")`}. Give it the permissions that docs/operate/backup.md lists.`;
    case "NoSuchBucket":
      return `${endpoint} has no bucket ${bucket}. Create it, or correct the address.`;
    case "RequestTimeTooSkewed":
      return `The clock of this machine (${new Date().toISOString()}) differs too much from the clock of ${endpoint} (${date ?? "unknown"}). Set it.`;
    case "PermanentRedirect":
    case "TemporaryRedirect":
    case "AuthorizationHeaderMalformed":
    case "IllegalLocationConstraintException":
      return region === undefined
        ? `${endpoint} does not serve the bucket ${bucket} in the region ${address.region}. Correct region or endpoint of the address.`
        : `The bucket ${bucket} is in the region ${region}, not ${address.region}. Set region=${region} in the address.`;
    case "NoSuchKey":
      return `${store} has no ${key ?? "such key"}.`;
    case NO_S3:
      return `${endpoint} answers ${status} as no S3 store does. Correct the endpoint of the address.`;
    case "SlowDown":
      return `${endpoint} asks for fewer requests at the moment (${code}).`;
  }
  if (status === undefined) return `The connection to ${endpoint} failed (${code}).`;
  return `${endpoint} refused to ${what}: ${status} ${code}${words === undefined ? "" : ` "${words}"`}.`;
}
