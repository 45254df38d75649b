import { Refusal } from "../../../core/refusal.ts";
import type { Registry } from "./registry.ts";

/** Tools to list, and the name of that choice. */
export interface ToolOffer {
  key: string;
  names: ReadonlySet<string>;
}

/** Returns the tools of the named sets, such as `read,datasets`; without names, those that are listed by default. */
export function offerOf(
  { tools, sets }: Pick<Registry, "tools" | "sets">,
  asked: string | undefined,
): ToolOffer {
  const all = { default: tools.map(({ name }) => name), ...sets };
  const named = asked === undefined ? ["default"] : [...new Set(asked.split(","))].sort();
  const unknown = named.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined)
    throw new Refusal(
      "malformed",
      "unknown_tool_set",
      `tools=${unknown.slice(0, 60)} is not a set of tools. Use one or more of ${Object.keys(all).join(", ")}, separated by commas.`,
    );
  return { key: named.join(), names: new Set(named.flatMap((name) => all[name as keyof typeof all] ?? [])) };
}
