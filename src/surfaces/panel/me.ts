import type { FastifyRequest } from "fastify";
import type { Me } from "../../contract/me.ts";
import { manages, permissionsOfRole } from "../../core/permission.ts";
import { perform } from "../../domain/operation/operation.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { listOwnProjects } from "../../domain/projects/list-own-projects.ts";
import { signedOut } from "../../domain/tenancy/signed-out.ts";
import { localeOf } from "../../http/request/locale.ts";
import { ok } from "../../http/response/reply.ts";
import type { Route } from "../../http/route/route.ts";
import { personOf, sessionToken } from "../../http/session/session.ts";
import { panelToken } from "../../http/session/session-caller.ts";

/** Returns the signed-in person; undefined for anonymous callers. */
export async function meOf(service: Service, request: FastifyRequest): Promise<Me | undefined> {
  const session = sessionToken(service, request);
  const person = await personOf(service, request);
  if (session === undefined || person === undefined) return undefined;
  const { id, name, email, ownsInstance } = person;
  const projects = await perform(service, listOwnProjects, { person, session }, {});
  return {
    person: { id, name, email, ownsInstance },
    locale: localeOf(request, person),
    singleKeys: person.singleKeys,
    projects: projects.map(({ mayConnect: _, ...project }) => ({
      ...project,
      permissions: permissionsOfRole(project.role),
      manages: manages(project.role),
    })),
    apiUrl: service.config.baseUrl,
    token: panelToken(service, session),
  };
}

/** `GET /panel/api/me`: returns the signed-in person. */
export const meRoute: Route = {
  method: "GET",
  url: "/panel/api/me",
  async handle(service, request) {
    const me = await meOf(service, request);
    if (me === undefined) throw signedOut();
    // Its token is next to names of projects, which others may have chosen.
    return { ...ok(me), compress: false };
  },
};
