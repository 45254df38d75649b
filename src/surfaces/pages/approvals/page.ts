import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { approveApproval, declineApproval } from "../../../domain/approvals/decide-approval.ts";
import { openApproval } from "../../../domain/approvals/open-approval.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { fieldOf, formOfVisitor, visitorOf } from "../shared/signed-in.ts";
import { approvalPage } from "./parts.ts";

const ADDRESS = "/approvals/:signed";

const signedIn = (request: FastifyRequest): string => (request.params as { signed: string }).signed;

/** A change that an application proposed to the signed-in person, who approves or declines it. Opening it changes nothing. */
export const approvalRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const signed = signedIn(request);
      const opened = await perform(service, openApproval, visitor, { signed });
      const { changed } = request.query as { changed?: unknown };
      return approvalPage(visitor, { signed, opened, isChanged: changed !== undefined });
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const signed = signedIn(request);
      const decision = fieldOf(visitor.form, "decision");
      const here = `/approvals/${signed}`;
      if (decision === "decline") {
        await perform(service, declineApproval, visitor, { signed });
        return seeOther(here);
      }
      if (decision !== "approve")
        throw new Refusal("malformed", "no_decision", "The form was sent without a decision.");
      const mark = fieldOf(visitor.form, "seen");
      const decided = await perform(service, approveApproval, visitor, { signed, mark });
      return seeOther(decided === "changed" ? `${here}?changed` : here);
    },
  },
];
