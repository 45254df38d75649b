import type { Group, Part } from "./part.ts";

/** Returns the tree with one part replaced. Undefined removes it, and groups that are empty then. */
export function changePart(root: Group, id: string, to: (part: Part) => Part | undefined): Group {
  if (root.id === id) {
    const made = to(root);
    return made?.kind === "group" ? made : emptied(root);
  }
  return within(root, id, to);
}

/** Returns the tree with a part added at the end of a group. */
export const addPart = (root: Group, groupId: string, part: Part): Group =>
  changePart(root, groupId, (group) =>
    group.kind === "group" ? { ...group, parts: [...group.parts, part] } : group,
  );

export const removePart = (root: Group, id: string): Group => changePart(root, id, () => undefined);

/** A group without parts has no condition. */
const emptied = (group: Group): Group => ({ ...group, bare: true, parts: [] });

function within(group: Group, id: string, to: (part: Part) => Part | undefined): Group {
  const parts = group.parts.flatMap((part) => changed(part, id, to) ?? []);
  return parts.length === 0 && group.parts.length > 0 ? emptied(group) : { ...group, parts };
}

function changed(part: Part, id: string, to: (part: Part) => Part | undefined): Part | undefined {
  if (part.id === id) return to(part);
  if (part.kind === "group") {
    const next = within(part, id, to);
    return next.parts.length === 0 && part.parts.length > 0 ? undefined : next;
  }
  if (part.kind === "event" || part.kind === "dataset")
    return { ...part, where: changePart(part.where, id, to) };
  return part;
}

/** The number of conditions in a filter, of any kind; a group counts for its content. */
export const countParts = ({ parts }: Group): number =>
  parts.reduce((sum, part) => sum + (part.kind === "group" ? countParts(part) : 1), 0);
