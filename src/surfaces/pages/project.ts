import { notFound } from "../../core/refusal.ts";
import { describeProject } from "../../domain/projects/describe-project.ts";
import { html } from "../../http/html.ts";
import type { Route } from "../../http/route.ts";
import { framed } from "./frame.ts";
import { visitorOf } from "./signed-in.ts";

/** A project at a glance, with the ways to reach its leads. */
export const projectRoutes: Route[] = [
  {
    method: "GET",
    url: "/projects/:project",
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const { project: projectId } = request.params as { project: string };
      const project = await describeProject(service, { personId: visitor.person.id, projectId });
      if (project === undefined) throw notFound("project");
      const leads = project.leads === 10_000 ? "10,000 or more" : project.leads.toLocaleString("en");
      const body = html`<nav class="crumbs"><a href="/">Projects</a></nav>
<h1><bdi>${project.name}</bdi></h1>
<dl class="facts">
<dt>Leads</dt><dd>${leads}</dd>
<dt>Project id</dt><dd><code>${project.id}</code></dd>
<dt>Time zone</dt><dd>${project.timezone}</dd>
<dt>Last import</dt><dd>${project.lastImport === null ? "none yet" : html`<bdi>${project.lastImport.fileName}</bdi>, ${project.lastImport.rows.toLocaleString("en")} rows, ${project.lastImport.state}`}</dd>
</dl>
<h2>Settings</h2>
<ul class="list"><li><a href="/projects/${project.id}/settings/api-keys">API Keys</a> <span class="quiet">for CRMs, automations and dashboards</span></li></ul>
<h2>Bring leads in</h2>
<pre><code>npm run -s leadgate -- import leads --project ${project.id} --file leads.csv</code></pre>
<h2>Connect an assistant</h2>
<p>Give it this MCP address. It sends you here to sign in and to choose what it may do.</p>
<pre><code>${service.config.authUrl}/mcp</code></pre>`;
      return framed(visitor, project.name, body);
    },
  },
];
