import { folded } from "../../../../core/folded.ts";
import { near } from "../../../../core/nearest.ts";
import { type Fault, malformed } from "../../../../core/refusal.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { listOwners, type Owner } from "../../../../domain/projects/list-owners.ts";
import type { Call } from "../../protocol/registry.ts";
import { outside } from "./outside-text.ts";

/** Returns the members who may own leads. */
export const ownersOf = ({ service, caller }: Call): Promise<Owner[]> =>
  perform(service, listOwners, caller, {});

/** Returns the id of the member that a text names: an id, an e-mail address, a name, a part of one name, or `me`. */
export function ownerNamed(owners: readonly Owner[], text: string, path: string): string {
  const wanted = folded(text);
  const exact = owners.filter(
    ({ id, email, name, me }) =>
      id === text || email === wanted || folded(name) === wanted || (me && wanted === "me"),
  );
  const found =
    exact.length > 0 ? exact : owners.filter(({ name }) => folded(name).split(/\s+/).includes(wanted));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only.id;
  throw malformed([unknownOwner(owners, found, text, path)]);
}

function unknownOwner(owners: readonly Owner[], found: readonly Owner[], text: string, path: string): Fault {
  const names = found.length > 0 ? found.map(({ name }) => name) : owners.map(({ name }) => name);
  const isAlike = (name: string) => near(text, [name, ...name.split(/\s+/)]).length > 0;
  const alike = found.length > 0 ? names : names.filter(isAlike);
  const listed = (alike.length > 0 ? alike : names).slice(0, 10).join(", ");
  const message =
    found.length > 0
      ? `${JSON.stringify(text.slice(0, 60))} names several members: ${listed}`
      : `${JSON.stringify(text.slice(0, 60))} is not a member of this project; ${alike.length > 0 ? "the nearest are" : "its members are"} ${listed}`;
  return { path, code: "unknown_member", message };
}

const OWNER_FIELDS = ["owner", "owner_id"];

/** Whether a field is the owner, by the name that people use or its own. */
export const isOwner = (field: string): boolean => OWNER_FIELDS.includes(field);

/** Whether a value of the field has to be looked up: it is not the id of a member. */
export const isNamed = (value: unknown): value is string =>
  typeof value === "string" && !/^per_[0-9a-z]{26}$/.test(value);

type Fields = Record<string, unknown>;

/** Returns the fields of leads with the ids of the owners that they name, as `owner` or as `owner_id`. */
export async function withOwners<T extends Fields>(
  call: Call,
  items: readonly T[],
  pathOf: (index: number) => string,
): Promise<Fields[]> {
  const names = (item: T) => Object.keys(item).filter(isOwner);
  if (!items.some((item) => names(item).some((name) => name === "owner" || isNamed(item[name]))))
    return [...items];
  const owners = await ownersOf(call);
  return items.map((item, i) => {
    const [name, ...others] = names(item);
    if (name === undefined) return item;
    const path = `${pathOf(i)}.${name}`;
    if (others.length > 0)
      throw malformed([
        { path, code: "twice", message: "is given twice, as owner and as owner_id; keep one" },
      ]);
    const { [name]: value, ...rest } = item;
    return { ...rest, owner_id: isNamed(value) ? ownerNamed(owners, value, path) : value };
  });
}

/** Returns records of changes with the owners that were set by their names, as `owner`: ids mean nothing to people. */
export async function withOwnerNames<T extends object>(call: Call, items: T[]): Promise<T[]> {
  const text = JSON.stringify(items);
  if (!text.includes('"owner_id"')) return items;
  const names = new Map((await ownersOf(call)).map(({ id, name }) => [id, name]));
  const named = (key: string, value: unknown) => {
    if (key === "field" && value === "owner_id") return "owner";
    return (key === "from" || key === "to") && typeof value === "string"
      ? (names.get(value) ?? value)
      : value;
  };
  return outside(JSON.parse(text, named)) as T[];
}
