import { Refusal } from "../../core/refusal.ts";
import { isSetUpOpen, setUp } from "../../domain/accounts/set-up.ts";
import type { Service } from "../../domain/service.ts";
import { type Html, html, htmlReply, page, seeOther } from "../../http/html.ts";
import type { Route } from "../../http/route.ts";
import { sameOrigin, sessionCookie } from "../../http/session.ts";
import { fieldOf, formOf, staleForm } from "./signed-in.ts";

const ADDRESS = "/setup/:link";

interface Filled {
  email: string;
  name: string;
  project: string;
}

/** The first owner's way in: the one-time link that the console printed. */
export const setUpRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      await checkLink(service, linkOf(request.params));
      return htmlReply(200, form(linkOf(request.params), { email: "", name: "", project: "" }));
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      if (!sameOrigin(service, request)) throw staleForm();
      const link = linkOf(request.params);
      const sent = formOf(request);
      const filled = {
        email: fieldOf(sent, "email"),
        name: fieldOf(sent, "name"),
        project: fieldOf(sent, "project"),
      };
      try {
        const { session } = await setUp(service, link, { ...filled, password: fieldOf(sent, "password") });
        return seeOther("/", { "Set-Cookie": sessionCookie(service, session) });
      } catch (error) {
        if (!(error instanceof Refusal) || (error.kind !== "malformed" && error.kind !== "conflict"))
          throw error;
        return htmlReply(400, form(link, filled, error.message));
      }
    },
  },
];

const linkOf = (params: unknown): string => (params as { link: string }).link;

async function checkLink(service: Service, link: string): Promise<void> {
  if (await isSetUpOpen(service, link)) return;
  throw new Refusal(
    "not_found",
    "setup_over",
    "This link was used or is too old. Start the service again: it prints a new one until there is an owner.",
  );
}

function form(link: string, filled: Filled, problem?: string): Html {
  const body = html`<main class="card">
<h1>Welcome to Leadgate</h1>
<p>You are the first one here. Create your account and your first project.</p>
${problem === undefined ? "" : html`<p class="error" role="alert">${problem}</p>`}
<form method="post" action="/setup/${link}">
<label>Your name <input name="name" value="${filled.name}" autocomplete="name" required autofocus></label>
<label>E-mail <input name="email" type="email" value="${filled.email}" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="new-password" minlength="8" required>
<small>Eight characters or more; a long sentence is best.</small></label>
<label>Project <input name="project" value="${filled.project}" placeholder="Whose leads are these?" required></label>
<div class="actions"><button class="primary">Create</button></div>
</form>
</main>`;
  return page({ title: "Set up", body });
}
