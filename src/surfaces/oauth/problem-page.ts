import { html, htmlReply, page } from "../../http/html.ts";
import type { Reply } from "../../http/reply.ts";
import type { Dialect } from "../../http/serve.ts";
import { retryHeader, statusOf } from "../../http/status.ts";

/** Errors of the authorization pages: a page for the person, who is sent nowhere. */
export const pageDialect: Dialect = (refusal): Reply => {
  const body = html`<main class="card">
<h1>This did not work</h1>
<p class="error" role="alert">${refusal.message}</p>
<p class="quiet">Nothing was shared with any application. Go back to the application and start again from there;
if it happens again, tell its makers what stands above.</p>
</main>`;
  return htmlReply(statusOf(refusal), page({ title: "This did not work", body }), retryHeader(refusal));
};
