import { isScope, type Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Person } from "../../domain/accounts/person.ts";
import { issueCode } from "../../domain/grants/issue-code.ts";
import { refuseAuthorization } from "../../domain/grants/refuse-authorization.ts";
import type { Service } from "../../domain/service.ts";
import { refusalOf } from "../../http/failure.ts";
import { isFormToken } from "../../http/form-token.ts";
import { seeOther } from "../../http/html.ts";
import type { Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { personOf, sessionToken } from "../../http/session.ts";
import { type AuthorizationRequest, authorizationRequest, type Wish } from "./authorization-request.ts";
import { carried, purposeOf } from "./carried-request.ts";
import { consentPage } from "./consent-page.ts";
import { formOfOurs, type OurForm } from "./form-of-ours.ts";
import { accessDenied, returnCode, returnError } from "./return-to-client.ts";
import { wishOf } from "./wish.ts";

interface Decided {
  asked: AuthorizationRequest;
  wish: Wish;
  person: Person;
  session: string;
}

/** Takes the person's decision and sends the browser back to the application. */
export const consent: Route = {
  method: "POST",
  url: "/oauth/consent",
  bodyLimit: 64 * 1_024,
  async handle(service, request) {
    const form = formOfOurs(service, request);
    const asked = await authorizationRequest(service, carried(form.one("request") ?? ""));
    const person = await personOf(service, request);
    const session = sessionToken(service, request);
    if (person === undefined || session === undefined) return seeOther(`/oauth/authorize?${asked.query}`);
    if (!isFormToken(service, session, purposeOf("consent", asked.query), form.one("token"))) {
      throw new Refusal("forbidden", "forged_form", "This form does not belong to your session.");
    }
    const wish = wishOf(service, asked);
    if ("error" in wish) return returnError(service, asked, wish);
    const decision = form.one("decision");
    if (decision === "approve") return await approve(service, form, { asked, wish, person, session });
    if (decision === "deny") return await refuse(service, asked, person);
    throw new Refusal("malformed", "no_decision", "The form came without a decision.");
  },
};

async function approve(service: Service, form: OurForm, decided: Decided): Promise<Reply> {
  const { asked, wish, person } = decided;
  const ticked: Scope[] = form.all("scope").filter(isScope);
  const approval = {
    personId: person.id,
    projectId: form.one("project_id") ?? "",
    client: asked.client,
    redirectUri: asked.redirectUri,
    challenge: wish.challenge,
    asked: wish.scopes,
    ticked: wish.scopes.filter((scope) => ticked.includes(scope)),
  };
  try {
    const outcome = await issueCode(service, approval);
    if (outcome === "nothing") return await refuse(service, asked, person);
    if (outcome === "not_a_member") {
      return await consentPage(service, { ...decided, fault: "Choose one of your projects." });
    }
    return returnCode(service, asked, outcome.code);
  } catch (error) {
    const { kind, code, message } = refusalOf(error);
    if (kind !== "unavailable") throw error;
    service.log.error({ err: error }, "no code could be issued");
    const name = code === "internal" ? "server_error" : "temporarily_unavailable";
    return returnError(service, asked, { error: name, description: message });
  }
}

async function refuse(service: Service, asked: AuthorizationRequest, person: Person): Promise<Reply> {
  await refuseAuthorization(service, person.id, asked.client);
  return returnError(service, asked, accessDenied);
}
