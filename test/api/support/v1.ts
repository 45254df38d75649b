import assert from "node:assert/strict";

/** Returns the body of a successful v1 call. */
export async function bodyOf<T>(response: Response, status = 200): Promise<T> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  return JSON.parse(text) as T;
}

/** Returns the refusal of a v1 call: one envelope, with the request's id. */
export async function refusalOf(response: Response): Promise<{
  status: number;
  code: string;
  message: string;
  paths: string[];
}> {
  const body = (await response.json()) as {
    error: { code: string; message: string; details: { path: string }[] };
    request_id: string;
  };
  assert.equal(body.request_id, response.headers.get("x-request-id"));
  const { code, message, details } = body.error;
  return { status: response.status, code, message, paths: details.map(({ path }) => path) };
}
