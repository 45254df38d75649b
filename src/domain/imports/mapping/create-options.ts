import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { CUSTOM } from "../../values/value.ts";
import { addFieldOptions, addStatuses } from "./add-options.ts";

type Options = Readonly<Record<string, readonly string[]>>;
type Reader = Pick<Transaction, "query">;

const STATUS = "status";

const STATUSES = "SELECT statuses FROM project WHERE project_id = $1";
const OPTIONS = "SELECT key, options FROM custom_field WHERE project_id = $1 AND key = ANY ($2)";

/** Returns the options that a mapping declares but that the project lacks, by field. */
export async function missingOptions(
  tx: Reader,
  projectId: string,
  { options = {} }: ImportMapping,
): Promise<Options> {
  const wanted = Object.entries(options);
  if (wanted.length === 0) return {};
  const [project] = await tx.query<{ statuses: string[] }>(STATUSES, [projectId]);
  const keys = wanted.map(([field]) => field.slice(CUSTOM.length));
  const fields = await tx.query<{ key: string; options: string[] }>(OPTIONS, [projectId, keys]);
  const known = new Map(fields.map(({ key, options: own }) => [CUSTOM + key, own]));
  known.set(STATUS, project?.statuses ?? []);
  const missing = wanted.flatMap(([field, all]) => {
    const own = known.get(field) ?? [];
    const left = [...new Set(all)].filter((option) => !own.includes(option));
    return left.length === 0 ? [] : [[field, left] as const];
  });
  return Object.fromEntries(missing);
}

/** Adds the options that a mapping declares but that the project lacks, each field as a change. */
export async function createOptions(
  tx: Transaction,
  newChange: (kind: "statuses.set" | "field.update", about: Change["about"]) => Change,
  projectId: string,
  mapping: ImportMapping,
): Promise<void> {
  for (const [field, options] of Object.entries(await missingOptions(tx, projectId, mapping))) {
    if (field === STATUS) await addStatuses(tx, newChange("statuses.set", {}), projectId, options);
    else {
      const key = field.slice(CUSTOM.length);
      await addFieldOptions(tx, newChange("field.update", { field: key }), { projectId, key }, options);
    }
  }
}
