import type { Words } from "../../../core/locale.ts";
import type { ProjectGlance } from "../../../domain/projects/describe-project.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { problemLine, type Refused, tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";

type Word = "title" | "what" | "viewers" | "save" | "mayNot";

/** The texts about who may export leads. */
export const EXPORTING: Words<Record<Word, string>> = {
  en: {
    title: "Exporting leads",
    what: "Whoever reads leads can also take them out as files. Here you can withhold that from viewers, and from the applications that they connect. A key can be made without export under API keys.",
    viewers: "Viewers may export leads",
    save: "Save export",
    mayNot: "Viewers may not export leads from this project.",
  },
  "pt-BR": {
    title: "Exportação de leads",
    what: "Quem lê leads também pode baixá-los em arquivos. Aqui você pode impedir isso aos leitores e aos aplicativos que eles conectam. Em Chaves de API, é possível criar uma chave sem exportação.",
    viewers: "Leitores podem exportar leads",
    save: "Salvar exportação",
    mayNot: "Leitores não podem exportar leads deste projeto.",
  },
};

/** Returns the form for whether viewers may export leads, for owners and admins. */
export function exportForm(
  { locale, token }: Visitor,
  { id, viewersExport }: ProjectGlance,
  again: Refused | undefined,
): Html {
  const words = EXPORTING[locale];
  return html`<section aria-labelledby="exporting"><h2 id="exporting">${words.title}</h2>
<p class="quiet">${words.what}</p>
${problemLine(again?.problem)}
<form method="post" action="/projects/${id}/settings/export" class="narrow">${tokenField(token)}
<label class="choice"><input type="checkbox" name="viewers" value="yes"${viewersExport && html` checked`}>
<span>${words.viewers}</span></label>
<div class="actions"><button>${words.save}</button></div></form></section>`;
}
