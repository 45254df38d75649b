import { isScope, type Scope } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import { issueCode } from "../../../domain/grants/issue-code.ts";
import { refuseAuthorization } from "../../../domain/grants/refuse-authorization.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { clientFingerprint } from "./carried-request.ts";
import { type ConsentContext, consentPage } from "./consent-page.ts";
import type { OurForm } from "./form-of-ours.ts";
import { personForm } from "./person-form.ts";
import { accessDenied, returnCode, returnError } from "./return-to-client.ts";

/** Takes the person's decision and sends the browser back to the application. */
export const consent: Route = {
  method: "POST",
  url: "/oauth/consent",
  bodyLimit: 64 * 1_024,
  async handle(service, request) {
    const sent = await personForm(service, request, "consent");
    if ("status" in sent) return sent;
    const decision = sent.form.one("decision");
    if (decision === "approve") return await approve(service, sent.form, sent.about);
    if (decision === "deny") return await refuse(service, sent.about);
    throw new Refusal("malformed", "no_decision", "The form was sent without a decision.");
  },
};

async function approve(service: Service, form: OurForm, about: ConsentContext): Promise<Reply> {
  const { asked, access } = about;
  if (form.one("seen") !== clientFingerprint(asked))
    return await consentPage(service, { ...about, fault: "changed" });
  const ticked: Scope[] = form.all("scope").filter(isScope);
  const approval = {
    projectId: form.one("project_id") ?? "",
    client: asked.client,
    redirectUri: asked.redirectUri,
    challenge: access.challenge,
    asked: access.scopes,
    ticked: access.scopes.filter((scope) => ticked.includes(scope)),
    writes: form.one("writes") === "propose" ? ("propose" as const) : ("write" as const),
  };
  try {
    const outcome = await perform(service, issueCode, about, approval);
    if (outcome === "nothing") return await refuse(service, about);
    if (outcome === "not_a_member") return await consentPage(service, { ...about, fault: "choose_project" });
    if (outcome === "may_not_connect")
      return await consentPage(service, { ...about, fault: "may_not_connect" });
    return returnCode(service, asked, outcome.code);
  } catch (error) {
    const { kind, code, message } = refusalOf(error);
    if (kind !== "unavailable") throw error;
    service.log.error({ err: error }, "no code could be issued");
    const name = code === "internal" ? "server_error" : "temporarily_unavailable";
    return returnError(service, asked, { error: name, description: message });
  }
}

async function refuse(service: Service, about: ConsentContext): Promise<Reply> {
  await perform(service, refuseAuthorization, about, { client: about.asked.client });
  return returnError(service, about.asked, accessDenied);
}
