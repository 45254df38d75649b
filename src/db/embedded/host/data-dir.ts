import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";

/** What the service and its commands create in a data folder. */
const OURS = /^(?:postgres|owner\.|secret-key|backup|restor|verifying|leadgate|commands|demo|lost\+found$)/;
/** What others may do with a folder besides passing through. */
const OTHERS = 0o066;

/**
 * Creates the data folder, whatever the umask: nobody else may list it, but if root runs the service, the user of the database must
 * be able to pass through. An existing one of this user, with nothing in it but what the service creates, is closed to others too.
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    const first = await mkdir(dataDir, { recursive: true, mode });
    if (first === undefined) return await closeToOthers(dataDir);
    for (let made = resolve(dataDir); made.length >= resolve(first).length; made = dirname(made))
      await chmod(made, mode);
  } catch (cause) {
    const { code = "unknown error" } = cause as NodeJS.ErrnoException;
    throw new EmbeddedError(
      `DATA_DIR is ${dataDir}, which cannot be used as a folder (${code}); set it to a folder that this user may write`,
      { cause },
    );
  }
}

async function closeToOthers(dataDir: string): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  if ((mode & OTHERS) === 0 || uid !== process.getuid?.()) return;
  if ((await readdir(dataDir)).every((name) => OURS.test(name)))
    await chmod(dataDir, mode & 0o7777 & ~OTHERS);
}
