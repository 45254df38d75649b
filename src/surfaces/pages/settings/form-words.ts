import type { Words } from "../../../core/locale.ts";

type Word = "title" | "what" | "name" | "zoneFor" | "countryFor" | "currencyFor" | "save" | "done";

/** What the form of a project's settings says. */
export const PROJECT_FORM_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Name and region",
    what: "Changes apply to everyone from now on. Stored leads stay unchanged: phone numbers keep the country they were read with.",
    name: "Name",
    zoneFor:
      "Days in filters and on the dashboard start at midnight in this zone. Times in files without a zone are read in it.",
    countryFor:
      "Phone numbers without a country code are read as numbers of this country. Without a country, they are stored only as text.",
    currencyFor: "Lead values without a currency are shown in this currency.",
    save: "Save",
    done: "Saved.",
  },
  "pt-BR": {
    title: "Nome e região",
    what: "As alterações valem para todos a partir de agora. Os leads já salvos não mudam: os telefones mantêm o país com que foram lidos.",
    name: "Nome",
    zoneFor:
      "Os dias dos filtros e do painel começam à meia-noite neste fuso. Horários sem fuso em arquivos são lidos nele.",
    countryFor:
      "Telefones sem código do país são lidos como números deste país. Sem país, ficam salvos só como texto.",
    currencyFor: "Valores de leads sem moeda são mostrados nesta moeda.",
    save: "Salvar",
    done: "Salvo.",
  },
};
