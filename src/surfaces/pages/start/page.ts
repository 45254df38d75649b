import { addressIn, HOME } from "../../../core/navigation.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { projectsPage } from "../projects/parts.ts";
import { START } from "../shared/after-sign-in.ts";
import { visitorOf } from "../shared/signed-in.ts";

/** A person's projects, and the start page after signing in, which redirects to the project if there is only one. */
export const startRoutes: Route[] = [
  {
    method: "GET",
    url: START,
    async handle(service, request) {
      const { projects } = await visitorOf(service, request);
      const [only, another] = projects;
      return seeOther(only === undefined || another !== undefined ? "/" : addressIn(only.id, HOME));
    },
  },
  {
    method: "GET",
    url: "/",
    handle: async (service, request) => await projectsPage(service, await visitorOf(service, request)),
  },
];
