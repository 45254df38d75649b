import type { FastifyRequest } from "fastify";
import { createKey } from "../../../domain/api-keys/create-key.ts";
import { listKeys } from "../../../domain/api-keys/list-keys.ts";
import { revokeKey } from "../../../domain/api-keys/revoke-key.ts";
import type { InProject } from "../../../domain/operation/callers.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { type Html, html, seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import { problemLine, refusedForm } from "../shared/parts.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";
import { keyForm, purposeOf } from "./key-form.ts";
import { freshKey, keyTable } from "./parts.ts";
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
      const at = managerAt(request, visitor);
      const name = fieldOf(visitor.form, "name");
      try {
        const permissions = visitor.form.get("permission") ?? [];
        const made = await perform(service, createKey, at, {
          id: fieldOf(visitor.form, "id"),
          name,
          permissions,
          exportWithheld: fieldOf(visitor.form, "no_export") === "yes",
        });
        const shown = freshKey(service, visitor.locale, at.projectId, made.key);
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
      const at = managerAt(request, visitor);
      const { key: id } = request.params as { key: string };
      await perform(service, revokeKey, at, { id });
      return seeOther(`/projects/${at.projectId}/settings/api-keys`);
    },
  },
];

function managerAt(request: FastifyRequest, { person }: Visitor): InProject {
  const { project: projectId } = request.params as { project: string };
  return { personId: person.id, projectId };
}

async function show(
  service: Service,
  request: FastifyRequest,
  visitor: Visitor,
  notice?: Html,
  status = 200,
): Promise<Reply> {
  const at = managerAt(request, visitor);
  const { keys, grantable } = await perform(service, listKeys, at, {});
  const { for: purpose } = request.query as { for?: unknown };
  const words = KEY_WORDS[visitor.locale];
  const body = html`<h1>${words.title}</h1>
<p>${words.intro}</p>
${notice}
${keyTable(keys, at.projectId, visitor)}
${keyForm(at.projectId, visitor, { grantable, purpose: purposeOf(purpose) })}`;
  return framed(visitor, words.title, body, status);
}
