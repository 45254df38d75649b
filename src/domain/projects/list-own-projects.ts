import { personOperation } from "../operation/callers.ts";
import { listProjects } from "../tenancy/list-projects.ts";

/** The projects of the calling person, by name. */
export const listOwnProjects = personOperation({
  name: "projects.list_own",
  run: async ({ db, caller }) => await listProjects(db, caller.person.id),
});
