import type { Locale } from "../../../core/locale.ts";
import type { ApiKey } from "../../../domain/api-keys/api-key.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { copyButton } from "../shared/copy.ts";
import { tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { KEY_WORDS } from "./words.ts";

/** Returns the new key, shown once, with an example call that works as printed. */
export function freshKey(service: Service, locale: Locale, projectId: string, key: string): Html {
  const words = KEY_WORDS[locale];
  return html`<section class="fresh" role="status">
<h2>${words.copy}</h2>
<p>${words.once}</p>
<pre><code id="new-key">${key}</code></pre>${copyButton(locale, "key")}
<p>${words.try}</p>
<pre><code>curl ${service.config.baseUrl}/api/leads/query/ \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"project_id": "${projectId}", "limit": 5}'</code></pre>${copyButton(locale, "call")}
</section>`;
}

/** Returns the project's keys, each with its permissions, its last use and a button to revoke it. */
export function keyTable(keys: readonly ApiKey[], projectId: string, { locale, token }: Visitor): Html {
  const words = KEY_WORDS[locale];
  if (keys.length === 0) return html`<p class="quiet">${words.none}</p>`;
  const end = (key: ApiKey) =>
    key.revokedAt === null
      ? revokeForm(key, projectId, { locale, token })
      : `${words.revoked} ${dayIn(locale, key.revokedAt)}`;
  const rows = keys.map(
    (
      key,
    ) => html`<tr><th scope="row"><bdi>${key.name}</bdi></th><td>${key.permissions.join(", ")}${key.exportWithheld && html` <span class="quiet">(${words.noExport})</span>`}</td>
<td class="day">${dayIn(locale, key.createdAt)}</td><td class="day">${key.lastUsedAt === null ? words.never : dayIn(locale, key.lastUsedAt)}</td>
<td>${end(key)}</td></tr>`,
  );
  return html`<div class="wide"><table><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.permissions}</th>
<th scope="col">${words.created}</th><th scope="col">${words.used}</th><th scope="col"><span class="unseen">${words.revoke}</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function revokeForm(
  key: ApiKey,
  projectId: string,
  { locale, token }: Pick<Visitor, "locale" | "token">,
): Html {
  const { revoke } = KEY_WORDS[locale];
  return html`<form method="post" action="/projects/${projectId}/settings/api-keys/${key.id}/revoke">
${tokenField(token)}<button aria-label="${revoke} ${key.name}">${revoke}</button></form>`;
}
