import type { FastifyRequest } from "fastify";
import type { Service } from "../../domain/service.ts";
import { formToken, preSession } from "../../http/form-token.ts";
import { html, htmlReply, page } from "../../http/html.ts";
import type { Reply } from "../../http/reply.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { carry, purposeOf } from "./carried-request.ts";

/** The sign-in form on the way to an application, with what went wrong the last time. */
export function signInPage(
  service: Service,
  request: FastifyRequest,
  asked: AuthorizationRequest,
  again: { status: number; error: string; email?: string; retryAfter?: number | undefined } | undefined,
): Reply {
  const visit = preSession(service, request);
  const token = formToken(service, visit.value, purposeOf("sign-in", asked.query));
  const body = html`<main class="card">
<h1>Sign in</h1>
<p class="quiet">to continue to <bdi>${asked.client.metadata.client_name}</bdi>. The application never sees your
password.</p>
${again && html`<p class="error" role="alert">${again.error}</p>`}
<form method="post" action="/oauth/sign-in">
<input type="hidden" name="request" value="${carry(asked.query)}">
<input type="hidden" name="token" value="${token}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" value="${again?.email ?? ""}" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<div class="actions"><button class="primary" type="submit">Sign in</button></div>
</form>
</main>`;
  return htmlReply(again?.status ?? 200, page({ title: "Sign in", body }), {
    ...(visit.cookie === undefined ? {} : { "Set-Cookie": visit.cookie }),
    ...(again?.retryAfter === undefined ? {} : { "Retry-After": String(again.retryAfter) }),
  });
}
