import { Refusal } from "../../core/refusal.ts";
import { signIn as signPersonIn } from "../../domain/accounts/sign-in.ts";
import { isFormToken, preSession } from "../../http/form-token.ts";
import { seeOther } from "../../http/html.ts";
import type { Route } from "../../http/route.ts";
import { sessionCookie } from "../../http/session.ts";
import { authorizationRequest } from "./authorization-request.ts";
import { carried, purposeOf } from "./carried-request.ts";
import { formOfOurs } from "./form-of-ours.ts";
import { signInPage } from "./sign-in-page.ts";

const STALE = "This form was too old, or your browser sent no cookie. Please try again.";

/** Takes the sign-in form and leads back to the authorization request, in a new session. */
export const signIn: Route = {
  method: "POST",
  url: "/oauth/sign-in",
  bodyLimit: 64 * 1_024,
  async handle(service, request) {
    const form = formOfOurs(service, request);
    const asked = await authorizationRequest(service, carried(form.one("request") ?? ""));
    const email = form.one("email") ?? "";
    const visit = preSession(service, request).value;
    if (!isFormToken(service, visit, purposeOf("sign-in", asked.query), form.one("token"))) {
      return signInPage(service, request, asked, { status: 403, error: STALE, email });
    }
    try {
      const input = { email, password: form.one("password") ?? "", address: request.ip };
      const { token } = await signPersonIn(service, input);
      return seeOther(`/oauth/authorize?${asked.query}`, { "Set-Cookie": sessionCookie(service, token) });
    } catch (error) {
      const status = error instanceof Refusal ? STATUS.get(error.kind) : undefined;
      if (!(error instanceof Refusal) || status === undefined) throw error;
      const { message, retryAfter } = error;
      return signInPage(service, request, asked, { status, error: message, email, retryAfter });
    }
  },
};

const STATUS = new Map<Refusal["kind"], number>([
  ["unauthenticated", 401],
  ["too_many", 429],
  ["unavailable", 503],
]);
