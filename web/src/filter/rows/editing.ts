import { type ComponentType, createContext, use } from "react";
import type { Detail } from "../../api/api-error.ts";
import type { Part, Scope } from "../model/part.ts";

/** What parts of the panel do to the filter that is edited. */
export interface Editing {
  /** Makes a part another, or takes it out (undefined). */
  change(id: string, to: (part: Part) => Part | undefined): void;
  add(groupId: string, part: Part): void;
  /** What the service says is wrong with a part. */
  faultsOf(id: string): readonly Detail[];
  /** The editor of any part, for those that hold others. */
  Part: ComponentType<{ part: Part; scope: Scope; depth: number }>;
}

export const EditingContext = createContext<Editing>({
  change: () => undefined,
  add: () => undefined,
  faultsOf: () => [],
  Part: () => null,
});

export const useEditing = (): Editing => use(EditingContext);
