import type { FastifyRequest } from "fastify";
import { createKey } from "../../../domain/api-keys/create-key.ts";
import { listKeys } from "../../../domain/api-keys/list-keys.ts";
import { revokeKey } from "../../../domain/api-keys/revoke-key.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { managerDoor } from "../../../domain/tenancy/person-door.ts";
import { type Html, html, seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import { problemLine, refusedForm } from "../shared/parts.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";
import { freshKey, keyForm, keyTable } from "./parts.ts";
import { KEY_WORDS } from "./words.ts";

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
          id: fieldOf(visitor.form, "id"),
          name,
          permissions,
          createdBy: visitor.person.id,
        });
        const shown = freshKey(service, visitor.locale, projectId, made.key);
        return await show(service, request, visitor, shown);
      } catch (error) {
        const { problem, status } = refusedForm(visitor.locale, error);
        return await show(service, request, visitor, problemLine(problem), status);
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/:key/revoke`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const { projectId, door } = reach(request, visitor);
      const { key: id } = request.params as { key: string };
      await revokeKey(service, door, { projectId, id, by: visitor.person.id });
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
  const words = KEY_WORDS[visitor.locale];
  const body = html`<h1>${words.title}</h1>
<p>${words.intro}</p>
${notice}
${keyTable(keys, projectId, visitor)}
${keyForm(projectId, visitor)}`;
  return framed(visitor, words.title, body, status);
}
