/** Returns a random id; `crypto.randomUUID` does not exist where the panel is served without TLS. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("");
