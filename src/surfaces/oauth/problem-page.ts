import type { RefusalKind } from "../../core/refusal.ts";
import { html, htmlReply, page } from "../../http/html.ts";
import type { Reply } from "../../http/reply.ts";
import type { Dialect } from "../../http/serve.ts";

const STATUS: Partial<Record<RefusalKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  too_large: 413,
  too_many: 429,
  unavailable: 503,
};

/** Errors of the authorization pages: a page for the person, who is sent nowhere. */
export const pageDialect: Dialect = (refusal): Reply => {
  const status = refusal.code === "internal" ? 500 : (STATUS[refusal.kind] ?? 400);
  const headers = refusal.retryAfter === undefined ? {} : { "Retry-After": String(refusal.retryAfter) };
  const body = html`<main class="card">
<h1>This did not work</h1>
<p class="error" role="alert">${refusal.message}</p>
<p class="quiet">Nothing was shared with any application. Go back to the application and start again from there;
if it happens again, tell its makers what stands above.</p>
</main>`;
  return htmlReply(status, page({ title: "This did not work", body }), headers);
};
