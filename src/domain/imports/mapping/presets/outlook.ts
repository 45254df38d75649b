import { EASTERN } from "./outlook-east.ts";
import type { OutlookField, OutlookLanguage } from "./outlook-language.ts";
import { WESTERN } from "./outlook-west.ts";
import type { Preset, Tell } from "./preset.ts";

const LANGUAGES = [...WESTERN, ...EASTERN];

/** Files of a language have its column of the e-mail, and a number or place of the work or the home. */
const tellOf = ({ email, phones, city, country }: OutlookLanguage): Tell => [
  email,
  [...phones, ...city, ...country],
];

const [tell = [], ...or] = LANGUAGES.map(tellOf);

export const OUTLOOK: Preset = {
  name: "outlook",
  tell,
  or,
  also: LANGUAGES.flatMap((each) =>
    [each.first_name, each.last_name, each.company, each.phone, each.tags].flat(),
  ),
  columns: Object.fromEntries(
    LANGUAGES.flatMap((each) =>
      (Object.keys(each) as OutlookField[]).flatMap((field) => each[field].map((header) => [header, field])),
    ),
  ),
};
