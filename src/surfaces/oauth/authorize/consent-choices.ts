import type { Locale } from "../../../core/locale.ts";
import type { Scope, Writes } from "../../../core/permission.ts";
import { grantable } from "../../../domain/grants/issue-code.ts";
import { LEADS_GLANCED, type OwnGlance } from "../../../domain/tenancy/glance-projects.ts";
import type { OwnProject } from "../../../domain/tenancy/list-projects.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { CHOICES } from "./choice-words.ts";

/**
 * What a person can choose from: their projects in which some of it may be granted, and their last choice.
 */
export interface Offer {
  projects: readonly OwnProject[];
  /** Of at least these projects. */
  glances: readonly OwnGlance[];
  asked: readonly Scope[];
  last: { projectId: string; declined: readonly string[]; writes: Writes; approved: boolean } | undefined;
}

/** Returns the choice of a project, with how many leads each one has: the only one or the last one is selected. */
export function projectChoice({ projects, glances, asked, last }: Offer, locale: Locale): Html {
  const words = CHOICES[locale];
  const choices = projects.map(({ id, name, role }) => {
    const less = grantable(asked, role).length < asked.length;
    const chosen = projects.length === 1 || id === last?.projectId;
    const glance = glances.find((each) => each.id === id);
    const like = projects.filter((each) => lookOf(each.name) === lookOf(name)).length > 1;
    return html`<label class="choice${less && " reads"}"><input type="radio" name="project_id" value="${id}" required${chosen && html` checked`}>
<span><bdi>${name}</bdi>${glance && html` <small>${leadsOf(glance, locale)}${like && html` · ${mark(glance, locale)}`}</small>`}${less && html` <small>${words.readsHere}</small>`}</span></label>
`;
  });
  return html`<fieldset class="projects">
<legend>${words.project}</legend>
${choices}</fieldset>`;
}

function leadsOf({ leads }: OwnGlance, locale: Locale): string {
  const many = leads > LEADS_GLANCED;
  return CHOICES[locale].leads(leads, (many ? LEADS_GLANCED : leads).toLocaleString(locale), many);
}

/** Returns a name as people see it: two of the same look cannot be told apart. */
const lookOf = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

/** Returns what tells projects of one name apart: the owner, the date, and the end of the id, which differs always. */
function mark({ id, owner, createdAt }: OwnGlance, locale: Locale): Html {
  const by = owner === null ? undefined : html`<bdi>${owner}</bdi>`;
  return CHOICES[locale].mark(by, dayIn(locale, createdAt), id.slice(-6));
}

/**
 * Returns the choice of scopes, ticked as last chosen; scopes that the person cannot grant in any project are
 * disabled.
 */
export function scopeChoice({ projects, glances, asked, last }: Offer, locale: Locale): Html {
  const words = CHOICES[locale];
  const [only] = projects.length === 1 ? glances.filter(({ id }) => id === projects[0]?.id) : [];
  const choices = asked.map((scope) => {
    const possible = projects.some(({ role }) => grantable([scope], role).length > 0);
    const everywhere = projects.every(({ role }) => grantable([scope], role).length > 0);
    const declined = last?.declined.includes(scope) === true;
    const ticked = possible && !declined;
    const { name, meaning } = words.scopes[scope];
    const notes = [
      meaning(only && leadsOf(only, locale)),
      ...(ticked && scope === "mcp:write" && asked.includes("mcp:read")
        ? [html`<span class="if-ticked">${words.untick}</span>`]
        : []),
    ];
    return html`<label class="choice${!everywhere && " partly"}"><input type="checkbox" name="scope" value="${scope}"${ticked && html` checked`}${!possible && html` disabled`}>
<span><strong>${name}</strong> <small>${notes.map((note) => html`${note} `)}</small>${possible && declined && html`<small class="again">${words.again}</small>`}${!everywhere && html` <small class="not-there">${words.readsThere}</small>`}</span></label>
${scope === "mcp:write" && possible && askChoice(last?.writes === "propose", locale)}`;
  });
  return html`<fieldset>
<legend>${words.what}</legend>
${choices}</fieldset>`;
}

/** Returns the choice to be asked before each change, which goes with the scope above it. */
function askChoice(ticked: boolean, locale: Locale): Html {
  const { name, meaning } = CHOICES[locale].asks;
  return html`<label class="choice asks"><input type="checkbox" name="writes" value="propose"${ticked && html` checked`}>
<span><strong>${name}</strong> <small>${meaning}</small></span></label>
`;
}
