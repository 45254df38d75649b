import type { Locale } from "../../../core/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { CONSENT } from "./consent-words.ts";

/** The id of the form that these fields belong to, so that pressing Enter in them never approves. */
export const NEW_PROJECT_FORM = "new-project";

/**
 * Returns a field for a new project's name with its own button, folded if there are projects to choose from.
 */
export function newProjectFields(locale: Locale, as: "open" | "folded"): Html {
  const words = CONSENT[locale];
  const fields = html`<label>${words.projectName}
<input form="${NEW_PROJECT_FORM}" name="project_name" maxlength="200" required autocomplete="off"></label>
<button${as === "open" && html` class="primary"`} type="submit" form="${NEW_PROJECT_FORM}">${words.create}</button>`;
  return as === "open"
    ? html`<div class="new-project">${fields}</div>`
    : html`<details class="new-project"><summary>${words.newProject}</summary>
${fields}</details>`;
}
