import type { FastifyRequest } from "fastify";
import type { Words } from "../../../core/locale.ts";
import { permissionsOfRole } from "../../../core/permission.ts";
import { hashOf } from "../../../core/secret.ts";
import {
  addSuppressions,
  countSuppressions,
  removeSuppression,
} from "../../../domain/erasure/suppressions.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import type { ProjectGlance } from "../../../domain/projects/describe-project.ts";
import type { Credential } from "../../../domain/tenancy/credential.ts";
import { type Html, html, seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import {
  doneLine,
  faultOf,
  marked,
  problemAbove,
  type Refused,
  refusedForm,
  tokenField,
} from "../shared/parts.ts";
import { projectAt } from "../shared/project-at.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";

type Word =
  | "title"
  | "what"
  | "none"
  | "one"
  | "many"
  | "collecting"
  | "addTitle"
  | "list"
  | "listFor"
  | "add"
  | "added"
  | "removeTitle"
  | "removeWhat"
  | "address"
  | "reason"
  | "reasonFor"
  | "remove"
  | "removed"
  | "unknown"
  | "tooMany"
  | "empty";

/** The texts about addresses that must not be contacted. */
const SUPPRESSING: Words<Record<Word, string>> = {
  en: {
    title: "Do not contact",
    what: "The e-mails and phones of people who opted out. The project remembers them even when the lead is deleted or erased: a lead that is imported or created again with one of them is marked “do not contact”. Only unreadable marks are stored, so the list cannot be shown.",
    none: "No address is on the list.",
    one: "1 address is on the list.",
    many: "{n} addresses are on the list.",
    collecting: "Opt-outs of existing leads are still being collected.",
    addTitle: "Add addresses",
    list: "E-mails and phones",
    listFor: "One per line, up to 500. Leads that have one of them are marked “do not contact”.",
    add: "Add to the list",
    added: "Added to the list: {n}. Leads marked “do not contact”: {leads}.",
    removeTitle: "Remove an address",
    removeWhat: "Leads that have it stay marked “do not contact” until someone changes that on the lead.",
    address: "E-mail or phone",
    reason: "Reason",
    reasonFor: "For the log. Write no personal data here.",
    remove: "Remove from the list",
    removed: "Removed from the list. Leads still marked “do not contact”: {leads}.",
    unknown: "This address is not on the list.",
    tooMany: "Add at most 500 addresses at a time.",
    empty: "Enter at least one e-mail or phone.",
  },
  "pt-BR": {
    title: "Não contatar",
    what: "Os e-mails e telefones de quem pediu para não ser contatado. O projeto se lembra deles mesmo que o lead seja excluído ou apagado: um lead importado ou criado de novo com um deles é marcado como “não contatar”. Só são guardadas marcas ilegíveis, por isso a lista não pode ser mostrada.",
    none: "Nenhum endereço está na lista.",
    one: "1 endereço está na lista.",
    many: "{n} endereços estão na lista.",
    collecting: "Os pedidos dos leads existentes ainda estão sendo reunidos.",
    addTitle: "Adicionar endereços",
    list: "E-mails e telefones",
    listFor: "Um por linha, até 500. Os leads que têm um deles são marcados como “não contatar”.",
    add: "Adicionar à lista",
    added: "Adicionados à lista: {n}. Leads marcados como “não contatar”: {leads}.",
    removeTitle: "Remover um endereço",
    removeWhat: "Os leads que o têm continuam marcados como “não contatar” até que alguém mude isso no lead.",
    address: "E-mail ou telefone",
    reason: "Motivo",
    reasonFor: "Para o registro. Não escreva dados pessoais aqui.",
    remove: "Remover da lista",
    removed: "Removido da lista. Leads ainda marcados como “não contatar”: {leads}.",
    unknown: "Este endereço não está na lista.",
    tooMany: "Adicione no máximo 500 endereços de cada vez.",
    empty: "Informe pelo menos um e-mail ou telefone.",
  },
};

const ADDRESS = "/projects/:project/settings/do-not-contact";
const MOST = 500;

const at = ({ id }: Pick<ProjectGlance, "id">): string => `/projects/${id}/settings/do-not-contact`;

const credentialOf = ({ person, session }: Visitor, { id }: ProjectGlance): Credential => ({
  kind: "person",
  projectId: id,
  personId: person.id,
  session: hashOf(session),
});

interface Again {
  text: string;
  refused: Refused;
}

/** Whom a project must not contact: how many there are, and forms to add and remove addresses. */
export const suppressionPageRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      return await show(service, visitor, await projectAt(service, request, visitor), {
        done: doneOf(visitor, request),
      });
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const project = await projectAt(service, request, visitor);
      const words = SUPPRESSING[visitor.locale];
      const text = fieldOf(visitor.form, "addresses");
      const lines = text.split(/[\n,;]/).map((line) => line.trim());
      const addresses = lines.filter((line) => line !== "");
      const problem =
        addresses.length === 0 ? words.empty : addresses.length > MOST ? words.tooMany : undefined;
      if (problem !== undefined) {
        const refused = { problem, wrong: { addresses: problem }, status: 422, headers: {} };
        return await show(service, visitor, project, { adding: { text, refused } });
      }
      try {
        const { added, leads } = await perform(service, addSuppressions, credentialOf(visitor, project), {
          addresses,
        });
        return seeOther(`${at(project)}?added=${added}&leads=${leads}`);
      } catch (error) {
        const refused = byLine(refusedForm(visitor.locale, error), addresses);
        return await show(service, visitor, project, { adding: { text, refused } });
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/remove`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const project = await projectAt(service, request, visitor);
      const address = fieldOf(visitor.form, "address").trim();
      const reason = fieldOf(visitor.form, "reason").trim();
      try {
        const caller = credentialOf(visitor, project);
        const { leads } = await perform(service, removeSuppression, caller, { address, reason });
        return seeOther(`${at(project)}?removed=${leads}`);
      } catch (error) {
        if (!isUnknown(error)) {
          const removing = { text: address, refused: refusedForm(visitor.locale, error) };
          return await show(service, visitor, project, { removing });
        }
        const problem = SUPPRESSING[visitor.locale].unknown;
        const refused = { problem, wrong: { address: problem }, status: 404, headers: {} };
        return await show(service, visitor, project, { removing: { text: address, refused } });
      }
    },
  },
];

const isUnknown = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "kind" in error && error.kind === "not_found";

/** All that is wrong with a list, by the address, as what is wrong with its field. */
function byLine(refused: Refused, addresses: readonly string[]): Refused {
  const all = Object.entries(refused.wrong).map(([path, message]) => {
    const [, n] = /^addresses\[(\d+)\]$/.exec(path) ?? [];
    return n === undefined ? message : `“${addresses[Number(n)]}” ${message}`;
  });
  return all.length === 0 ? refused : { ...refused, wrong: { addresses: all.join("\n") } };
}

/** What a form did, by the page's query. */
function doneOf({ locale }: Visitor, request: FastifyRequest): string | undefined {
  const { added, removed, leads } = request.query as Record<string, unknown>;
  const words = SUPPRESSING[locale];
  const number = (value: unknown) => (Number(value) || 0).toLocaleString(locale);
  if (added !== undefined) return words.added.replace("{n}", number(added)).replace("{leads}", number(leads));
  return removed === undefined ? undefined : words.removed.replace("{leads}", number(removed));
}

async function show(
  service: Service,
  visitor: Visitor,
  project: ProjectGlance,
  { done, adding, removing }: { done?: string | undefined; adding?: Again; removing?: Again },
): Promise<Reply> {
  const words = SUPPRESSING[visitor.locale];
  const { count, complete } = await perform(service, countSuppressions, credentialOf(visitor, project), {});
  const many = words.many.replace("{n}", count.toLocaleString(visitor.locale));
  const body = html`<h1>${words.title}</h1>
${doneLine(done)}
<p>${words.what}</p>
<p><strong>${count === 0 ? words.none : count === 1 ? words.one : many}</strong>${!complete && html` ${words.collecting}`}</p>
${permissionsOfRole(project.role).includes("leads:write") && forms(visitor, project, adding, removing)}`;
  const again = adding?.refused ?? removing?.refused;
  return framed(visitor, words.title, body, again?.status, again?.headers);
}

function forms(
  { locale, token }: Visitor,
  project: ProjectGlance,
  adding: Again | undefined,
  removing: Again | undefined,
): Html {
  const words = SUPPRESSING[locale];
  const [added, removed] = [adding?.refused.wrong, removing?.refused.wrong];
  return html`<section aria-labelledby="add"><h2 id="add">${words.addTitle}</h2>
${problemAbove(adding?.refused)}
<form method="post" action="${at(project)}" class="narrow">${tokenField(token)}
<label>${words.list} <textarea name="addresses" rows="6" maxlength="140000" autocomplete="off" spellcheck="false" required${marked("addresses", added)}>${adding?.text ?? ""}</textarea>
<small>${words.listFor}</small></label>
${faultOf("addresses", added)}
<div class="actions"><button class="primary">${words.add}</button></div></form></section>
<section aria-labelledby="remove"><h2 id="remove">${words.removeTitle}</h2>
<p class="quiet">${words.removeWhat}</p>
${problemAbove(removing?.refused)}
<form method="post" action="${at(project)}/remove" class="narrow">${tokenField(token)}
<label>${words.address} <input name="address" value="${removing?.text ?? ""}" maxlength="254" autocomplete="off" spellcheck="false" required${marked("address", removed)}></label>
${faultOf("address", removed)}
<label>${words.reason} <input name="reason" maxlength="500" autocomplete="off" required${marked("reason", removed)}>
<small>${words.reasonFor}</small></label>
${faultOf("reason", removed)}
<div class="actions"><button>${words.remove}</button></div></form></section>`;
}
