import { personOperation } from "../operation/callers.ts";
import { glanceProjects } from "../tenancy/glance-projects.ts";

/** The projects of the calling person at a glance: leads, owner and date of creation. */
export const glanceOwnProjects = personOperation({
  name: "projects.glance_own",
  run: async ({ db, caller }) => await glanceProjects(db, caller.person.id),
});
