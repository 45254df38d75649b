const LONGEST = 1_024;

/**
 * Whether a client_id is the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document 3): https
 * with a path, in the URL standard's own spelling, so that no two spellings mean one document.
 */
export function isDocumentAddress(text: string): boolean {
  if (!text.startsWith("https://") || text.length > LONGEST || text.includes("#")) return false;
  const url = URL.parse(text);
  return url !== null && url.href === text && url.pathname !== "/" && url.username + url.password === "";
}
