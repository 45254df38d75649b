import { newId } from "../../../core/id.ts";
import type { Permission } from "../../../core/permission.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { KEY_WORDS } from "./words.ts";

/** What keys are usually made for, and the permissions that this needs. */
const PURPOSES = {
  dashboard: ["leads:read"],
  form: ["leads:create"],
  sync: ["leads:read", "leads:write"],
} as const satisfies Record<string, readonly Permission[]>;

type Purpose = keyof typeof PURPOSES;

const GROUPS = {
  leads: ["leads:read", "leads:write", "leads:create", "leads:erase", "schema:write"],
  datasets: ["datasets:read", "datasets:write", "datasets:import"],
} as const satisfies Record<string, readonly Permission[]>;

/** Returns the purpose that a link of the form names; otherwise the usual one. */
export const purposeOf = (name: unknown): Purpose =>
  typeof name === "string" && Object.hasOwn(PURPOSES, name) ? (name as Purpose) : "dashboard";

/** Returns the form for a new key, with the boxes that the visitor may tick; those of the purpose are ticked. */
export function keyForm(
  projectId: string,
  { locale, token }: Visitor,
  { grantable, purpose }: { grantable: readonly Permission[]; purpose: Purpose },
): Html {
  const words = KEY_WORDS[locale];
  const here = `/projects/${projectId}/settings/api-keys`;
  const ticked: readonly Permission[] = PURPOSES[purpose];
  const box = (permission: Permission) =>
    html`<label class="choice"><input type="checkbox" name="permission" value="${permission}"${ticked.includes(permission) && html` checked`}>
<span><code>${permission}</code><br><span class="quiet">${words[permission]}</span></span></label>`;
  const boxes = (group: keyof typeof GROUPS) =>
    GROUPS[group].filter((permission) => grantable.includes(permission)).map(box);
  const links = (Object.keys(PURPOSES) as Purpose[]).map(
    (each) =>
      html`<li><a href="${here}?for=${each}#new"${each === purpose && html` aria-current="true"`}>${words[each]}</a></li>`,
  );
  return html`<h2 id="new">${words.fresh}</h2>
<p>${words.usual}</p>
<ul class="list">${links}</ul>
<form method="post" action="${here}">
${tokenField(token)}<input type="hidden" name="id" value="${newId("key")}">
<label>${words.name} <input name="name" maxlength="100" placeholder="${words.what}" required></label>
<fieldset><legend>${words.leads}</legend>${boxes("leads")}
<label class="choice"><input type="checkbox" name="no_export" value="yes">
<span>${words.withhold}<br><span class="quiet">${words.withholdWhat}</span></span></label></fieldset>
<fieldset><legend>${words.datasets}</legend>${boxes("datasets")}</fieldset>
<div class="actions"><button class="primary">${words.create}</button></div>
</form>`;
}
