import { type ComponentType, createContext, use } from "react";
import type { Fault } from "../../../../src/contract/basics/problem.ts";
import type { Part, Scope } from "../model/part.ts";

/** How parts of the panel change the filter that is edited. */
export interface Editing {
  /** Replaces a part, or removes it (undefined). */
  change(id: string, to: (part: Part) => Part | undefined): void;
  add(groupId: string, part: Part): void;
  /** The service's errors about a part. */
  faultsOf(id: string): readonly Fault[];
  /** The editor of any part, for parts that contain others. */
  Part: ComponentType<{ part: Part; scope: Scope; depth: number }>;
}

export const EditingContext = createContext<Editing>({
  change: () => undefined,
  add: () => undefined,
  faultsOf: () => [],
  Part: () => null,
});

export const useEditing = (): Editing => use(EditingContext);
