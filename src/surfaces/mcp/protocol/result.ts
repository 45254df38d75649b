/**
 * Returns a result with these members, JSON without braces; 2026-07-28 adds its type and the server's name.
 */
export const complete = (
  { modern, catalogue }: { modern: boolean; catalogue: { signature: string } },
  members: string,
): string => resultOf(members, modern, catalogue.signature);

/** The same without a request; `signature` names the server. */
export function resultOf(members: string, modern: boolean, signature: string): string {
  if (!modern) return `{${members}}`;
  return `{"resultType":"complete",${members === "" ? "" : `${members},`}${signature}}`;
}

/**
 * Returns the members of a tool's result: the answer as structured content and the same JSON as text,
 * serialized once.
 */
export function answerMembers(answer: object, links: readonly object[]): string {
  const json = JSON.stringify(answer);
  const more = links.map((link) => `,${JSON.stringify(link)}`).join("");
  return `"content":[{"type":"text","text":${JSON.stringify(json)}}${more}],"structuredContent":${json}`;
}
