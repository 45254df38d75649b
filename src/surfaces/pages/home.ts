import { manages } from "../../core/permission.ts";
import { listProjects } from "../../domain/projects/list-projects.ts";
import { html } from "../../http/html.ts";
import type { Route } from "../../http/route.ts";
import { framed } from "./frame.ts";
import { visitorOf } from "./signed-in.ts";

/** A person's projects. */
export const homeRoutes: Route[] = [
  {
    method: "GET",
    url: "/",
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const projects = await listProjects(service, visitor.person.id);
      const list = projects.map(
        ({ id, name, role }) => html`<li><a href="/projects/${id}"><bdi>${name}</bdi></a>
<span class="quiet">${role}${manages(role) ? html` · <a href="/projects/${id}/settings/api-keys">API keys</a>` : ""}</span></li>`,
      );
      const empty = html`<p>You are in no project yet. Ask an owner to add you with the e-mail
<strong>${visitor.person.email}</strong>, or create one on the command line:</p>
<pre><code>npm run -s leadgate -- project create --name "My project" --owner ${visitor.person.email}</code></pre>`;
      return framed(
        visitor,
        "Projects",
        html`<h1>Projects</h1>${list.length === 0 ? empty : html`<ul class="list">${list}</ul>`}`,
      );
    },
  },
];
