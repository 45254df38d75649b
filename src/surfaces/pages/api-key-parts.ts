import { PERMISSIONS, type Permission } from "../../core/permission.ts";
import type { ApiKey } from "../../domain/api-keys/api-key.ts";
import type { Service } from "../../domain/service.ts";
import { type Html, html } from "../../http/html.ts";

const WORDS: Record<Permission, string> = {
  "leads:read": "Query, open and export leads and their timelines",
  "leads:write": "Create, edit and delete leads",
  "datasets:read": "Read datasets",
  "datasets:write": "Write rows of datasets",
  "datasets:import": "Import files into datasets",
};

/** The key, this one time, with a call that works as printed. */
export function freshKey(service: Service, projectId: string, key: string): Html {
  return html`<section class="fresh" role="status">
<h2>Copy your new key now</h2>
<p>It is not kept and cannot be shown again.</p>
<pre><code id="new-key">${key}</code></pre>
<p>Try it:</p>
<pre><code>curl ${service.config.baseUrl}/api/leads/query/ \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"project_id": "${projectId}", "limit": 5}'</code></pre>
</section>`;
}

/** The project's keys, each with what it may do, its last use and a way to end it. */
export function keyTable(keys: readonly ApiKey[], projectId: string, token: string): Html {
  if (keys.length === 0) return html`<p class="quiet">No keys yet. Create the first one below.</p>`;
  const rows = keys.map(
    (key) => html`<tr><th scope="row"><bdi>${key.name}</bdi></th><td>${key.permissions.join(", ")}</td>
<td>${day(key.createdAt)}</td><td>${key.lastUsedAt === null ? "never" : day(key.lastUsedAt)}</td>
<td>${key.revokedAt === null ? revokeForm(key, projectId, token) : `revoked ${day(key.revokedAt)}`}</td></tr>`,
  );
  return html`<div class="wide"><table><thead><tr><th scope="col">Name</th><th scope="col">Permissions</th>
<th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function revokeForm(key: ApiKey, projectId: string, token: string): Html {
  return html`<form method="post" action="/projects/${projectId}/settings/api-keys/${key.id}/revoke">
<input type="hidden" name="form_token" value="${token}"><button aria-label="Revoke ${key.name}">Revoke</button></form>`;
}

/** What a new key is called and may do; reading leads starts ticked. */
export function keyForm(projectId: string, token: string): Html {
  const boxes = PERMISSIONS.map(
    (
      permission,
    ) => html`<label class="choice"><input type="checkbox" name="permission" value="${permission}"${permission === "leads:read" ? html` checked` : ""}>
<span><code>${permission}</code><br><span class="quiet">${WORDS[permission]}</span></span></label>`,
  );
  return html`<h2>New key</h2>
<form method="post" action="/projects/${projectId}/settings/api-keys">
<input type="hidden" name="form_token" value="${token}">
<label>Name <input name="name" maxlength="100" placeholder="What will use it?" required></label>
<fieldset><legend>Permissions</legend>${boxes}</fieldset>
<div class="actions"><button class="primary">Create key</button></div>
</form>`;
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
