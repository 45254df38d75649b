export type SectionName = "contact" | "sales" | "own" | "attribution" | "consent" | "record";

const names = (text: string): string[] => text.split(" ");

/** The standard fields in the order people look for them; custom fields are in `own`. */
export const SECTIONS: readonly (readonly [SectionName, readonly string[]])[] = [
  [
    "contact",
    names(
      "name first_name last_name job_title company email emails phone phones website city state country language",
    ),
  ],
  ["sales", names("status owner_id value currency score lifecycle_stage tags lost_reason")],
  ["own", []],
  [
    "attribution",
    names(
      "source medium campaign utm_source utm_medium utm_campaign utm_term utm_content first_touch last_touch landing_page",
    ),
  ],
  ["consent", names("consent_status consent_basis consent_at do_not_contact")],
  ["record", names("external_id id created_at updated_at last_activity_at import_id version")],
];
