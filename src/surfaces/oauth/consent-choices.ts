import type { Scope } from "../../core/permission.ts";
import { grantable } from "../../domain/grants/issue-code.ts";
import type { OwnProject } from "../../domain/projects/list-projects.ts";
import { type Html, html } from "../../http/html.ts";

const WORDS: Record<Scope, { name: string; meaning: string }> = {
  "mcp:read": { name: "Read", meaning: "See and search leads, their timelines and datasets." },
  "mcp:write": {
    name: "Create, edit and delete",
    meaning: "Change leads and datasets, and import new ones. Untick this to let it read only.",
  },
};

/** In which project: the only one is chosen already, else the one chosen last. */
export function projectChoice(
  projects: readonly OwnProject[],
  asked: readonly Scope[],
  last: string | undefined,
): Html {
  const choices = projects.map(({ id, name, role }) => {
    const less = grantable(asked, role).length < asked.length;
    const chosen = projects.length === 1 || id === last;
    return html`<label class="choice"><input type="radio" name="project_id" value="${id}" required${chosen && html` checked`}>
<span><bdi>${name}</bdi>${less && html` <small class="quiet">you may only read here, and so may the application</small>`}</span></label>
`;
  });
  return html`<fieldset>
<legend>In which project?</legend>
${choices}</fieldset>`;
}

/** What it may do there: ticked as last chosen; what no offered project lets the person grant is disabled. */
export function scopeChoice(
  projects: readonly OwnProject[],
  asked: readonly Scope[],
  declined: readonly string[],
): Html {
  const choices = asked.map((scope) => {
    const possible = projects.some(({ role }) => grantable([scope], role).length > 0);
    const ticked = possible && !declined.includes(scope);
    return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${ticked && html` checked`}${!possible && html` disabled`}>
<span><strong>${WORDS[scope].name}</strong> <small class="quiet">${WORDS[scope].meaning}</small></span></label>
`;
  });
  return html`<fieldset>
<legend>What may it do there?</legend>
${choices}</fieldset>`;
}
