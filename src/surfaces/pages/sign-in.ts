import { Refusal } from "../../core/refusal.ts";
import { endSession } from "../../domain/accounts/session.ts";
import { signIn } from "../../domain/accounts/sign-in.ts";
import { formToken, isFormToken, preSession } from "../../http/form-token.ts";
import { type Html, html, htmlReply, page, seeOther } from "../../http/html.ts";
import type { Route } from "../../http/route.ts";
import { noSessionCookie, personOf, sameOrigin, sessionCookie, sessionToken } from "../../http/session.ts";
import { fieldOf, formOf, formOfVisitor, staleForm } from "./signed-in.ts";

const PURPOSE = "sign-in";

export const signInRoutes: Route[] = [
  {
    method: "GET",
    url: "/sign-in",
    async handle(service, request) {
      const to = localPath((request.query as { to?: unknown }).to);
      if ((await personOf(service, request)) !== undefined) return seeOther(to);
      const visit = preSession(service, request);
      const document = form({ to, email: "", token: formToken(service, visit.value, PURPOSE) });
      return htmlReply(200, document, visit.cookie === undefined ? {} : { "Set-Cookie": visit.cookie });
    },
  },
  {
    method: "POST",
    url: "/sign-in",
    async handle(service, request) {
      const sent = formOf(request);
      const visit = preSession(service, request);
      if (
        !sameOrigin(service, request) ||
        !isFormToken(service, visit.value, PURPOSE, fieldOf(sent, "form_token"))
      ) {
        throw staleForm();
      }
      const to = localPath(fieldOf(sent, "to"));
      const email = fieldOf(sent, "email");
      try {
        const former = sessionToken(service, request);
        const { token } = await signIn(service, {
          email,
          password: fieldOf(sent, "password"),
          address: request.ip,
        });
        if (former !== undefined) await endSession(service, former);
        return seeOther(to, { "Set-Cookie": sessionCookie(service, token) });
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== "unauthenticated") throw error;
        const token = formToken(service, visit.value, PURPOSE);
        return htmlReply(401, form({ to, email, token, problem: error.message }));
      }
    },
  },
  {
    method: "POST",
    url: "/sign-out",
    async handle(service, request) {
      await formOfVisitor(service, request);
      await endSession(service, sessionToken(service, request) ?? "");
      return seeOther("/sign-in", { "Set-Cookie": noSessionCookie(service) });
    },
  },
];

/** Where to go after signing in: a path of ours, never another host. */
function localPath(to: unknown): string {
  return typeof to === "string" && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to) ? to : "/";
}

function form(content: { to: string; email: string; token: string; problem?: string }): Html {
  const body = html`<main class="card">
<h1>Sign in</h1>
${content.problem === undefined ? "" : html`<p class="error" role="alert">${content.problem}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="form_token" value="${content.token}">
<input type="hidden" name="to" value="${content.to}">
<label>E-mail <input name="email" type="email" value="${content.email}" autocomplete="username" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<div class="actions"><button class="primary">Sign in</button></div>
</form>
</main>`;
  return page({ title: "Sign in", body });
}
