import { passSecondStep } from "../../../domain/accounts/sign-in/second-step.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { signInCookies } from "../../../http/session/session.ts";
import { destinationOf, signInForm } from "../../../http/session/sign-in-form.ts";
import { afterSignIn } from "../shared/after-sign-in.ts";
import { fieldOf, formOf, staleForm } from "../shared/signed-in.ts";
import { codePage } from "./code-parts.ts";
import { AGAIN } from "./page.ts";

/** Takes the code of the second step, and only then creates a session. */
export const signInCodeRoutes: Route[] = [
  {
    method: "POST",
    url: "/sign-in/code",
    async handle(service, request) {
      const sent = formOf(request);
      const field = (name: string): string => fieldOf(sent, name);
      const state = field("state");
      const { genuine, ...destination } = destinationOf(service, request, field, `code ${state}`);
      if (!genuine) return signInForm(service, request, destination, { refusal: staleForm() });
      try {
        const given = { state, code: field("code"), recovery: field("recovery") };
        const entered = await perform(service, passSecondStep, browserOf(service, request), given);
        return seeOther(afterSignIn(destination.to), {
          "Set-Cookie": signInCookies(service, request, entered),
        });
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal.code === "step_over") return signInForm(service, request, destination, { refusal });
        if (!AGAIN.has(refusal.kind)) throw error;
        if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, "a sign-in failed");
        return codePage(service, request, { ...destination, state }, refusal);
      }
    },
  },
];
