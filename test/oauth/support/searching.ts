/** Returns the unguessable parts of a secret: its random runs, or all of it. */
function partsOf(secret: string): string[] {
  return secret.match(/[0-9a-f]{64}/g) ?? [secret];
}

/**
 * Finds secrets in a text of any size, verbatim or encoded as hex or base64: one pass over its words, and
 * over its hex in steps of 64 characters.
 */
export function secretsIn(text: string, secrets: readonly string[]): string[] {
  const wanted = new Set(secrets.flatMap(partsOf));
  const found = new Set<string>();
  const look = (within: string, depth: number): void => {
    for (const [word] of within.matchAll(/[A-Za-z0-9_+/=-]{16,}/g)) {
      for (const piece of [word, ...word.split("_")]) if (wanted.has(piece)) found.add(piece);
      for (const [run] of word.matchAll(/[0-9a-f]{64,}/g)) {
        for (let at = 0; at + 64 <= run.length; at += 1) {
          const piece = run.slice(at, at + 64);
          if (wanted.has(piece)) found.add(piece);
        }
        if (depth > 0 && run.length % 2 === 0) look(Buffer.from(run, "hex").toString("latin1"), depth - 1);
      }
      if (depth > 0) look(Buffer.from(word, "base64").toString("latin1"), depth - 1);
    }
  };
  look(text, 1);
  return [...found];
}
