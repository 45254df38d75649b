import { type KeyActor, type World, world } from "../../world.ts";

const AT_ONCE = 4;

/**
 * Plays the histories of so many seeds, some at once in projects of their own; HISTORIES=601-700 plays these instead. All that
 * differ from the model are shown.
 */
export async function played<Keys extends readonly KeyActor[]>(
  seeds: number,
  prepare: (the: World) => Promise<Keys>,
  play: (the: World, keys: Keys, seed: number) => Promise<void>,
): Promise<void> {
  const [first = 1, last = seeds] = (process.env.HISTORIES ?? "").split("-").filter(Boolean).map(Number);
  const failed: string[] = [];
  let next = first;
  const player = async () => {
    await using the = await world();
    const keys = await prepare(the);
    for (let seed = next++; seed <= last; seed = next++)
      await play(the, keys, seed).catch((error: Error) => failed.push(error.message));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, player));
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${last - first + 1} histories\n${failed.slice(0, 5).join("\n\n")}`);
}
