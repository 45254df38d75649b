import type { Refusal } from "../../core/refusal.ts";
import { html, htmlReply, page, seeOther } from "../../http/html.ts";
import type { Dialect } from "../../http/serve.ts";
import { retryHeader, statusOf } from "../../http/status.ts";

/** A refusal as a page that says what to do next; whoever is not signed in is sent to sign in and back. */
export const refusalPage: Dialect = (refusal, request) => {
  if (refusal.code === "sign_in") return seeOther(`/sign-in?to=${encodeURIComponent(request.url)}`);
  const body = html`<main class="card">
<h1>${headline(refusal)}</h1>
<p>${refusal.message}</p>
<p><a href="/">Back to your projects</a></p>
<p class="quiet">Request ${request.id}</p>
</main>`;
  return htmlReply(statusOf(refusal), page({ title: headline(refusal), body }), retryHeader(refusal));
};

function headline(refusal: Refusal): string {
  if (refusal.kind === "not_found") return "Not found";
  if (refusal.kind === "forbidden") return "Not allowed";
  if (refusal.kind === "unavailable") return "Not available";
  return "That did not work";
}
