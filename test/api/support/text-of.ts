/** The body of an answer; of a stream that stays open, its first part. */
export async function textOf(answer: Response): Promise<string> {
  if (answer.headers.get("content-type") !== "text/event-stream") return await answer.text();
  for await (const part of answer.body ?? []) return new TextDecoder().decode(part);
  return "";
}
