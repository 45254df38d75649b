import { createContext, use } from "react";
import type { Me, PanelProject } from "../../../src/contract/me.ts";
import type { Permission } from "../../../src/core/permission.ts";
import { useSession } from "./session.ts";

/** The id of the project in the URL. */
export const ProjectContext = createContext("");

/** The signed-in person. */
export const useMe = (): Me => useSession().me;

/** The project in the URL; every screen has one. */
export function useProject(): PanelProject {
  const { projects } = useMe();
  const id = use(ProjectContext);
  const project = projects.find((each) => each.id === id);
  if (project === undefined) throw new Error("a screen needs a project");
  return project;
}

/** Whether the person may take leads out in bulk. */
export const useMayExport = (): boolean => useProject().mayExport;

/** Whether the person has a permission here, to decide what to offer. The server checks again. */
export const useMay = (permission: Permission): boolean => useProject().permissions.includes(permission);
