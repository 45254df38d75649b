import { Refusal } from "../../../core/refusal.ts";
import { listAuthorizations } from "../../../domain/grants/list-authorizations.ts";
import { revokeAccess, revokeAllAccess } from "../../../domain/grants/revoke-access.ts";
import { setWrites } from "../../../domain/grants/set-writes.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { fieldOf, formOfVisitor, visitorOf } from "../shared/signed-in.ts";
import { CONNECTED_APPS, connectedAppsPage } from "./parts.ts";

/** What a person granted to which application and when, with a button to revoke it. */
export const connectedAppRoutes: Route[] = [
  {
    method: "GET",
    url: CONNECTED_APPS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      return connectedAppsPage(visitor, await perform(service, listAuthorizations, visitor, {}));
    },
  },
  {
    method: "POST",
    url: `${CONNECTED_APPS}/revoke`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      try {
        await perform(service, revokeAccess, visitor, {
          projectId: fieldOf(visitor.form, "project_id"),
          authorizationId: fieldOf(visitor.form, "authorization_id"),
        });
      } catch (error) {
        // Already revoked, by a second click or elsewhere: that is what the person wanted.
        if (!(error instanceof Refusal) || error.kind !== "not_found") throw error;
      }
      return seeOther(CONNECTED_APPS);
    },
  },
  {
    method: "POST",
    url: `${CONNECTED_APPS}/writes`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      await perform(service, setWrites, visitor, {
        projectId: fieldOf(visitor.form, "project_id"),
        authorizationId: fieldOf(visitor.form, "authorization_id"),
        writes: fieldOf(visitor.form, "writes"),
      });
      return seeOther(CONNECTED_APPS);
    },
  },
  {
    method: "POST",
    url: `${CONNECTED_APPS}/revoke-all`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const clientId = fieldOf(visitor.form, "client_id");
      await perform(service, revokeAllAccess, visitor, { clientId });
      return seeOther(CONNECTED_APPS);
    },
  },
];
