import type { Refusal, RefusalKind } from "../../core/refusal.ts";
import { html, htmlReply, page, seeOther } from "../../http/html.ts";
import type { Dialect } from "../../http/serve.ts";

const STATUS: Record<RefusalKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported_media: 415,
  unprocessable: 422,
  too_many: 429,
  unavailable: 503,
};

/** A refusal as a page that says what to do next; whoever is not signed in is sent to sign in and back. */
export const refusalPage: Dialect = (refusal, request) => {
  if (refusal.code === "sign_in") return seeOther(`/sign-in?to=${encodeURIComponent(request.url)}`);
  const status = refusal.code === "internal" ? 500 : STATUS[refusal.kind];
  const body = html`<main class="card">
<h1>${headline(refusal)}</h1>
<p>${refusal.message}</p>
<p><a href="/">Back to your projects</a></p>
<p class="quiet">Request ${request.id}</p>
</main>`;
  const retry = refusal.retryAfter === undefined ? {} : { "Retry-After": String(refusal.retryAfter) };
  return htmlReply(status, page({ title: headline(refusal), body }), retry);
};

function headline(refusal: Refusal): string {
  if (refusal.kind === "not_found") return "Not found";
  if (refusal.kind === "forbidden") return "Not allowed";
  if (refusal.kind === "unavailable") return "Not available";
  return "That did not work";
}
