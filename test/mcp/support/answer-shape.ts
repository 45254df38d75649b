interface Rpc {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number };
}

/**
 * Returns what two servers should agree on: status, code, and the members of a result; for a batch, of each
 * response.
 */
export async function shapeOf(answer: Response): Promise<unknown> {
  let text = await answer.text();
  if (/event-stream/.test(answer.headers.get("content-type") ?? "")) {
    text = [...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? "";
  }
  const { status } = answer;
  if (text === "") return { status };
  const value = JSON.parse(text) as Rpc | Rpc[];
  return Array.isArray(value)
    ? { status, batch: value.map(messageShape) }
    : { status, ...messageShape(value) };
}

function messageShape({ id, result, error }: Rpc): object {
  if (error !== undefined) return { code: error.code };
  return { id, members: Object.keys(result ?? {}).sort(), isError: result?.isError };
}
