import { createHmac, randomBytes } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedError } from "../host/embedded-error.ts";

/** The passwords of the superuser and of the service's role. */
export interface Passwords {
  postgres: string;
  leadgate: string;
}

/** Reads the secret of the passwords from its file (0600) in the data folder; `create` makes it if it is missing. */
export async function readPasswords(dataDir: string, { create }: { create: boolean }): Promise<Passwords> {
  const path = join(dataDir, "postgres.secret");
  if (create) await createSecret(path);
  const secret = await readFile(path, "utf8").catch((cause) => {
    throw new EmbeddedError(
      `cannot read ${path}, which has the database password; restore it from a backup or run as its owner`,
      { cause },
    );
  });
  // Two roles, one secret: the URL of the service's role does not reveal the superuser's password.
  const passwordOf = (role: string) => createHmac("sha256", secret.trim()).update(role).digest("hex");
  return { postgres: passwordOf("postgres"), leadgate: passwordOf("leadgate") };
}

async function createSecret(path: string): Promise<void> {
  const exists = await readFile(path, "utf8").catch(() => "");
  if (exists.trim() !== "") return;
  const file = await open(`${path}.new`, "w", 0o600);
  await file.writeFile(`${randomBytes(32).toString("hex")}\n`);
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
}
