/** The embedded database cannot be used; the message says why and what to do about it. */
export class EmbeddedError extends Error {
  override name = "EmbeddedError";
}
