import { createContext, use } from "react";
import type { Permission } from "../../../src/core/permission.ts";
import { type Me, type Project, useSession } from "./session.ts";

/** The id of the project that the address names. */
export const ProjectContext = createContext("");

/** The person at the panel. */
export const useMe = (): Me => useSession().me;

/** The project that the address names; the shell shows no screen without one. */
export function useProject(): Project {
  const { projects } = useMe();
  const id = use(ProjectContext);
  const project = projects.find((each) => each.id === id);
  if (project === undefined) throw new Error("a screen stands outside of a project");
  return project;
}

/** Whether the person may do this here: for what to offer. The server decides all the same. */
export const useMay = (permission: Permission): boolean => useProject().permissions.includes(permission);
