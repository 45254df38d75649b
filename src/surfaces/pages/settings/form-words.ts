import type { Words } from "../../../core/locale.ts";

type Word = "title" | "what" | "name" | "zoneFor" | "countryFor" | "currencyFor" | "save" | "done";

/** What the form of a project's settings says. */
export const PROJECT_FORM_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Name and place",
    what: "A change holds from now on, for everybody. Stored leads stay as they are: phone numbers keep the country that they were read with.",
    name: "Name",
    zoneFor:
      "Days of filters and of the dashboard begin at its midnight; times in files that name no zone are read in it.",
    countryFor:
      "Phone numbers without a country code are read as numbers of it; with none, they are kept as text only.",
    currencyFor: "Values of leads that name no currency are shown in it.",
    save: "Save",
    done: "Saved.",
  },
  "pt-BR": {
    title: "Nome e lugar",
    what: "A mudança vale a partir de agora, para todos. Os leads guardados ficam como estão: os telefones mantêm o país com que foram lidos.",
    name: "Nome",
    zoneFor:
      "Os dias dos filtros e do painel começam à meia-noite dele; os horários de arquivos sem fuso são lidos nele.",
    countryFor: "Os telefones sem código do país são lidos como números dele; sem país, ficam só como texto.",
    currencyFor: "Os valores de leads sem moeda são mostrados nela.",
    save: "Salvar",
    done: "Salvo.",
  },
};
