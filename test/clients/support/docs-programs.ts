import assert from "node:assert/strict";

/** Runs one of the programs in the docs (`crm-sync`, `new-lead`), whatever it is compiled from; returns its lines. */
type Program = (name: string, ...words: string[]) => Promise<string[]>;

/**
 * Runs the docs' sync twice: the first run creates Bo and follows the feed, the second changes nothing. Returns the
 * lines of the first.
 */
export async function syncsTwice(program: Program): Promise<string[]> {
  const first = await program("crm-sync");
  assert.match(first[1] ?? "", /^created crm-18 lead_/);
  assert.ok(first.some((line) => /lead\.created lead_/.test(line)));
  const again = await program("crm-sync");
  assert.deepEqual(
    again.map((line) => line.replace(/lead_\w+/, "…")),
    ["unchanged crm-17 …", "unchanged crm-18 …"],
  );
  return first;
}

/** Runs the docs' automation twice for one form: it makes one lead, and says the same both times. */
export async function makesOneLead(program: Program): Promise<void> {
  const [made] = await program("new-lead", "form-9");
  assert.match(made ?? "", /^lead_\w+ contacted$/);
  assert.deepEqual(await program("new-lead", "form-9"), [made]);
}
