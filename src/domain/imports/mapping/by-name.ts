import { isId } from "../../../core/id.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { ImportTarget } from "./import-target.ts";

const OWNER = "owner_id";

/** `First Name` is first_name; `id` is the lead's id only if its cells are ids of leads. */
export function fieldByName({ name, samples }: ColumnProfile, target: ImportTarget): string | undefined {
  const field = name.toLowerCase().replace(/[\s-]+/g, "_");
  if (field === OWNER) return undefined;
  if (field !== "id") return [field, ...behind(name)].find((each) => target.fields.has(each));
  return samples.length > 0 && samples.every((sample) => isId("lead", sample)) ? "id" : undefined;
}

/** The name of a field behind its label, as exports have it where labels are alike. */
const behind = (header: string): string[] => /\(([^()]+)\)$/.exec(header)?.slice(1) ?? [];

/** Whether a column is named after a field; one of statuses, whose words other programs have for opt-outs, also by its values. */
export function isNamed(column: ColumnProfile, target: ImportTarget): boolean {
  const field = fieldByName(column, target);
  return field === "status" ? areStatuses(column, target) : field !== undefined;
}

/** Whether all values of a column are statuses of the project. */
const areStatuses = ({ values }: ColumnProfile, { statuses }: ImportTarget): boolean => {
  const known = new Set(statuses.map((status) => status.toLowerCase()));
  return values?.every((value) => known.has(value.toLowerCase())) === true;
};
