import { LEAD_FIELDS } from "../../contract/lists/lead-fields.ts";
import type { Locale, Words } from "../../core/locale.ts";
import type { Field } from "./lead-field.ts";
import type { ProjectSchema } from "./project-schema.ts";

/** The labels of the fields of events. */
const OF_EVENTS: Words<Record<string, string>> = {
  en: {
    type: "Type",
    title: "Title",
    occurred_at: "Occurred",
    recorded_at: "Recorded",
    seconds_after_created: "Seconds after the lead was created",
    "actor.type": "Actor type",
    "actor.label": "Actor",
  },
  "pt-BR": {
    type: "Tipo",
    title: "Título",
    occurred_at: "Ocorrência",
    recorded_at: "Registro",
    seconds_after_created: "Segundos depois da criação do lead",
    "actor.type": "Tipo do autor",
    "actor.label": "Autor",
  },
};

const labelsIn = (locale: Locale): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(LEAD_FIELDS.map((field) => [field.name, field[locale]])),
  ...OF_EVENTS[locale],
});

/** The labels of the fields of leads and events, by language. */
export const LABELS: Words<Readonly<Record<string, string>>> = {
  en: labelsIn("en"),
  "pt-BR": labelsIn("pt-BR"),
};

/** The label of a field: its project's label for a custom field, the key for an event's data. */
export function labelOf(
  { name, key = name, label }: Pick<Field, "name" | "key" | "label">,
  schema: ProjectSchema,
  locale: Locale,
): string {
  if (label !== undefined) return label;
  if (name.startsWith("custom.")) return schema.custom.get(key)?.label ?? key;
  if (name.startsWith("data.")) return key;
  return LABELS[locale][name] ?? name;
}
