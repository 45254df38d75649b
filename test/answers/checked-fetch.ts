import type { Answer, Checked, Checker } from "./check.ts";

/** Larger bodies are passed on unread. */
const MOST_BYTES = 5_000_000;
const OURS = new Set(["localhost", "127.0.0.1"]);

/**
 * Returns a fetch that checks every answer of the service on this machine and otherwise behaves as the given one. JSON
 * of a known length is checked at once; streamed JSON is checked when the test reads it as a whole.
 */
export function checkedFetch(
  send: typeof fetch,
  checker: () => Promise<Checker>,
  report: (answer: Answer, checked: Checked) => void,
): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const url = new URL(response.url || (input instanceof Request ? input.url : String(input)));
    if (!OURS.has(url.hostname)) return response;
    const { describes, check: checked } = await checker();
    const method = response.redirected ? "GET" : (init?.method ?? methodOf(input)).toUpperCase();
    if (!describes(method, url.pathname)) return response;
    const check = (body?: string) => {
      const { status, headers } = response;
      const answer = { method, path: url.pathname, status, headers, ...(body === undefined ? {} : { body }) };
      const found = checked(answer);
      if (found !== undefined) report(answer, found);
    };
    if (method === "HEAD" || response.body === null) check("");
    else if (!isJson(response)) check();
    else if (isShort(response)) check(await response.clone().text());
    else {
      check();
      checkWhenRead(response, check);
    }
    return response;
  };
}

const methodOf = (input: Parameters<typeof fetch>[0]): string =>
  input instanceof Request ? input.method : "GET";

const isJson = ({ headers }: Response): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(headers.get("content-type") ?? "");

/** Whether the answer has a length that is worth waiting for; others are streams. */
function isShort({ headers }: Response): boolean {
  const length = headers.get("content-length");
  return length !== null && Number(length) <= MOST_BYTES;
}

function checkWhenRead(response: Response, check: (body: string) => void): void {
  const read = response.text.bind(response);
  const text = async () => {
    const body = await read();
    if (body.length <= MOST_BYTES) check(body);
    return body;
  };
  Object.assign(response, { text, json: async () => JSON.parse(await text()) });
}
