const LONGEST = 1_024;

/**
 * Whether a client_id is the address of a metadata document (draft-ietf-oauth-client-id-metadata-document 3):
 * https with a path, written exactly as the URL standard would, so that no two spellings are one place.
 */
export function isDocumentAddress(text: string): boolean {
  if (!text.startsWith("https://") || text.length > LONGEST || text.includes("#")) return false;
  const url = URL.parse(text);
  return url !== null && url.href === text && url.pathname !== "/" && url.username + url.password === "";
}
