import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { authors, IDENTITIES, playHistory } from "../../test/changes/support/play-histories.ts";
import { playRowHistory, rowAuthors } from "../../test/changes/support/play-row-histories.ts";
import { prepareTemplate } from "../../test/template.ts";
import { world } from "../../test/world.ts";

const AT_ONCE = 4;
const SHOWN = 3;

/**
 * Plays random histories of changes, identities and undos against a plain model, several at once, each player in a project of
 * its own. A difference fails; a history has the seed that is printed with it, which repeats it.
 */
export async function histories({
  histories: count,
  seed,
}: {
  histories: number;
  seed: number;
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-histories-"));
  const server = await startEmbedded({ dataDir: folder });
  try {
    await prepareTemplate(server.url);
    process.env.LEADGATE_TEST_SERVER = server.url;
    const begun = performance.now();
    const differing: string[] = [];
    let next = seed;
    const player = async () => {
      await using the = await world({ alone: true });
      const [keys, ofRows] = [await authors(the), await rowAuthors(the)];
      // Of five histories, one is of rows and two are mostly of identities.
      const play = (own: number) =>
        own % 5 === 0
          ? playRowHistory(ofRows, own)
          : playHistory(the, keys, own, own % 5 < 3 ? IDENTITIES : undefined);
      for (let own = next++; own < seed + count; own = next++)
        await play(own).catch((error: unknown) => differing.push(String(error)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, player));
    const seconds = Math.round((performance.now() - begun) / 1_000);
    process.stdout.write(
      `${count} histories in ${seconds} s, seed ${seed}: ${differing.length} differ from the model\n`,
    );
    for (const difference of differing.slice(0, SHOWN)) process.stdout.write(`${difference}\n`);
    if (differing.length > 0) process.exitCode = 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
