import { type Html, html, htmlReply, page } from "../../http/html.ts";
import type { Reply } from "../../http/reply.ts";
import type { Visitor } from "./signed-in.ts";

/** A page of a signed-in person: who they are, the way home, the way out, and the content. */
export function framed(visitor: Visitor, title: string, body: Html, status = 200): Reply {
  const document = html`<header class="bar">
<a class="brand" href="/">Leadgate</a>
<form method="post" action="/sign-out">
<input type="hidden" name="form_token" value="${visitor.token}">
<a href="/connected-apps">Connected apps</a>
<span class="quiet"><bdi>${visitor.person.name}</bdi></span>
<button class="link">Sign out</button>
</form>
</header>
<main class="sheet">
${body}
</main>`;
  return htmlReply(status, page({ title, body: document }));
}
