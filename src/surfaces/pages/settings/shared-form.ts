import type { Words } from "../../../core/locale.ts";
import type { ProjectGlance } from "../../../domain/projects/describe-project.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { problemLine, type Refused, tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";

type Word = "title" | "what" | "refuse" | "save" | "refused";

/** The texts about e-mails and phones that several leads have. */
export const SHARING: Words<Record<Word, string>> = {
  en: {
    title: "Shared e-mails and phones",
    what: "Several leads can have the same e-mail or phone, such as that of an office. By default, giving a lead the e-mail or phone of another lead only returns a warning. Here you can refuse it instead. Imports and upserts are not affected: they find the lead and update it. Stored leads stay unchanged.",
    refuse: "Refuse e-mails and phones of other leads",
    save: "Save rule",
    refused: "A lead in this project cannot be given an e-mail or phone that another lead has.",
  },
  "pt-BR": {
    title: "E-mails e telefones compartilhados",
    what: "Vários leads podem ter o mesmo e-mail ou telefone, como o de um escritório. Por padrão, dar a um lead o e-mail ou telefone de outro só gera um aviso. Aqui você pode recusar isso. Importações e upserts não são afetados: eles encontram o lead e o atualizam. Os leads já salvos não mudam.",
    refuse: "Recusar e-mails e telefones de outros leads",
    save: "Salvar regra",
    refused: "Um lead deste projeto não pode receber um e-mail ou telefone que outro lead já tem.",
  },
};

/** Returns the form for whether an address of another lead is refused, for owners and admins. */
export function sharedForm(
  { locale, token }: Visitor,
  { id, refusesShared }: ProjectGlance,
  again: Refused | undefined,
): Html {
  const words = SHARING[locale];
  return html`<section aria-labelledby="sharing"><h2 id="sharing">${words.title}</h2>
<p class="quiet">${words.what}</p>
${problemLine(again?.problem)}
<form method="post" action="/projects/${id}/settings/shared-addresses" class="narrow">${tokenField(token)}
<label class="choice"><input type="checkbox" name="refuse" value="yes"${refusesShared && html` checked`}>
<span>${words.refuse}</span></label>
<div class="actions"><button>${words.save}</button></div></form></section>`;
}
