import { signIn } from "../../../domain/accounts/sign-in/sign-in.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { localPath } from "../../../http/request/local-path.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { personOf, signInCookies } from "../../../http/session/session.ts";
import { destinationOf, signInForm } from "../../../http/session/sign-in-form.ts";
import { afterSignIn } from "../shared/after-sign-in.ts";
import { fieldOf, formOf, staleForm } from "../shared/signed-in.ts";
import { codePage } from "./code-parts.ts";

/** The refusals after which the form is shown again. */
export const AGAIN: ReadonlySet<string> = new Set(["unauthenticated", "too_many", "unavailable"]);

/** The sign-in page, for our own pages and for authorizing applications. */
export const signInRoutes: Route[] = [
  {
    method: "GET",
    url: "/sign-in",
    async handle(service, request) {
      const { to: asked } = request.query as { to?: unknown };
      const to = localPath(typeof asked === "string" ? asked : "/");
      // The authorization endpoint shows the form itself, with the application's name.
      if (to.startsWith("/oauth/authorize?")) return seeOther(to);
      if ((await personOf(service, request)) !== undefined) return seeOther(to);
      return signInForm(service, request, { to });
    },
  },
  {
    method: "POST",
    url: "/sign-in",
    async handle(service, request) {
      const sent = formOf(request);
      const { genuine, ...destination } = destinationOf(
        service,
        request,
        (name) => fieldOf(sent, name),
        "sign-in",
      );
      const email = fieldOf(sent, "email");
      if (!genuine) return signInForm(service, request, destination, { refusal: staleForm(), email });
      try {
        const at = browserOf(service, request);
        const outcome = await perform(service, signIn, at, { email, password: fieldOf(sent, "password") });
        if ("state" in outcome) return codePage(service, request, { ...destination, state: outcome.state });
        return seeOther(afterSignIn(destination.to), {
          "Set-Cookie": signInCookies(service, request, outcome),
        });
      } catch (error) {
        const refusal = refusalOf(error);
        if (!AGAIN.has(refusal.kind)) throw error;
        if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, "a sign-in failed");
        return signInForm(service, request, destination, { refusal, email });
      }
    },
  },
];
