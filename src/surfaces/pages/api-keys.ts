import type { FastifyRequest } from "fastify";
import { Refusal } from "../../core/refusal.ts";
import { createKey } from "../../domain/api-keys/create-key.ts";
import { listKeys } from "../../domain/api-keys/list-keys.ts";
import { revokeKey } from "../../domain/api-keys/revoke-key.ts";
import { managerDoor } from "../../domain/projects/person-door.ts";
import type { Service } from "../../domain/service.ts";
import { type Html, html, seeOther } from "../../http/html.ts";
import type { Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { freshKey, keyForm, keyTable } from "./api-key-parts.ts";
import { framed } from "./frame.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "./signed-in.ts";

const ADDRESS = "/projects/:project/settings/api-keys";

/** Settings → API Keys: list, create (shown once), revoke. For owners and admins. */
export const apiKeyRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    handle: async (service, request) => await show(service, request, await visitorOf(service, request)),
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const { projectId, door } = reach(request, visitor);
      const name = fieldOf(visitor.form, "name");
      try {
        const permissions = visitor.form.get("permission") ?? [];
        const made = await createKey(service, door, {
          projectId,
          name,
          permissions,
          createdBy: visitor.person.id,
        });
        return await show(service, request, visitor, freshKey(service, projectId, made.key));
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
        return await show(
          service,
          request,
          visitor,
          html`<p class="error" role="alert">${error.message}</p>`,
          400,
        );
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/:key/revoke`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const { projectId, door } = reach(request, visitor);
      await revokeKey(service, door, projectId, (request.params as { key: string }).key);
      return seeOther(`/projects/${projectId}/settings/api-keys`);
    },
  },
];

function reach(request: FastifyRequest, visitor: Visitor) {
  const { project: projectId } = request.params as { project: string };
  return { projectId, door: managerDoor({ personId: visitor.person.id, projectId }) };
}

async function show(
  service: Service,
  request: FastifyRequest,
  visitor: Visitor,
  notice?: Html,
  status = 200,
): Promise<Reply> {
  const { projectId, door } = reach(request, visitor);
  const keys = await listKeys(service, door, projectId);
  const body = html`<nav class="crumbs"><a href="/">Projects</a> <a href="/projects/${projectId}">Project</a> Settings</nav>
<h1>API Keys</h1>
<p>A key reaches this project only, and does what is ticked. Keep it on a server: never in a web page, an app or a repository.</p>
${notice}
${keyTable(keys, projectId, visitor.token)}
${keyForm(projectId, visitor.token)}`;
  return framed(visitor, "API Keys", body, status);
}
