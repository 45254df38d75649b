import type { Locale } from "../../../core/locale.ts";
import { MOST_COUNTED, type ProjectGlance } from "../../../domain/projects/describe-project.ts";
import type { ProjectSettings } from "../../../domain/tenancy/project-settings.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { faultOf, marked, problemAbove, type Refused, tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { countries, currencies } from "./place.ts";
import { PROJECT_FORM_WORDS, PROJECT_WORDS } from "./words.ts";

/** What the form shows: the stored or submitted settings, and which of them were refused. */
interface Shown {
  projectId: string;
  settings: ProjectSettings;
  zones: readonly string[];
  again: Refused | undefined;
}

/** Returns the form for a project's name, time zone, country and currency, for owners and admins. */
export function projectForm({ locale, token }: Visitor, { projectId, settings, zones, again }: Shown): Html {
  const [words, terms] = [PROJECT_FORM_WORDS[locale], PROJECT_WORDS[locale]];
  const wrong = again?.wrong ?? {};
  const choice = (value: string, name: string, chosen: string | null) =>
    html`<option value="${value}"${value === (chosen ?? "") ? html` selected` : ""}>${name}</option>`;
  const [countryList, currencyList] = [countries(locale), currencies(locale)];
  return html`<section aria-labelledby="place"><h2 id="place">${words.title}</h2>
<p class="quiet">${words.what}</p>
${problemAbove(again)}
<form method="post" action="/projects/${projectId}/settings" class="narrow">${tokenField(token)}
<label>${words.name} <input name="name" value="${settings.name}" maxlength="200" autocomplete="off" required${marked("name", wrong)}></label>
${faultOf("name", wrong)}
<label>${terms.zone} <input name="timezone" value="${settings.timezone}" list="zones" autocomplete="off" spellcheck="false" required${marked("timezone", wrong)}>
<small>${words.zoneFor}</small></label>
${faultOf("timezone", wrong)}
<datalist id="zones">${zones.map((zone) => html`<option value="${zone}"></option>`)}</datalist>
<label>${terms.country} <select name="country"${marked("country", wrong)}>${choice("", terms.noCountry, settings.country)}
${countryList.map(({ code, name }) => choice(code, name, settings.country))}</select>
<small>${words.countryFor}</small></label>
${faultOf("country", wrong)}
<label>${terms.currency} <select name="currency"${marked("currency", wrong)}>${choice("", terms.noCurrency, settings.currency)}
${currencyList.map(({ code, name }) => choice(code, name, settings.currency))}</select>
<small>${words.currencyFor}</small></label>
${faultOf("currency", wrong)}
<div class="actions"><button class="primary">${words.save}</button></div></form></section>`;
}

/** Returns links to the other settings of a project, for owners and admins. */
export function settingsLinks(locale: Locale, { id, role }: ProjectGlance): Html {
  const words = PROJECT_WORDS[locale];
  const link = (path: string, name: string, what: string) =>
    html`<li><a href="/projects/${id}/settings/${path}">${name}</a> <span class="quiet">${what}</span></li>`;
  return html`<ul class="list">${link("api-keys", words.keys, words.keysFor)}
${link("applications", words.applications, words.applicationsFor)}
${link("members", words.members, words.membersFor)}
${link("do-not-contact", words.suppressions, words.suppressionsFor)}
${role === "owner" ? link("log", words.log, words.logFor) : ""}</ul>`;
}

/** Returns the number of leads, which is counted up to a limit. */
export function leadCount(locale: Locale, { leads }: ProjectGlance): string {
  const number = leads.toLocaleString(locale);
  return leads === MOST_COUNTED ? `${number} ${PROJECT_WORDS[locale].orMore}` : number;
}
