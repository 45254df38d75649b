import { isLocale } from "../../../core/locale.ts";
import { Refusal } from "../../../core/refusal.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";
import { checkName } from "./create-person.ts";

/** Changes what a person is called and which language they read; an empty language follows the browser. */
export async function changeProfile(
  service: Service,
  input: { personId: string; name: string; locale: string },
): Promise<void> {
  const { personId, locale } = input;
  const name = checkName(input.name);
  if (locale !== "" && !isLocale(locale)) {
    throw new Refusal("malformed", "bad_locale", "Choose one of the languages in the list.");
  }
  await service.db.transaction(async (tx) => {
    const changed = await tx.query(
      `UPDATE person SET name = $2, locale = $3
       WHERE id = $1 AND (name, locale) IS DISTINCT FROM ($2::text, $3::text) RETURNING id`,
      [personId, name, locale === "" ? null : locale],
    );
    if (changed.length === 0) return;
    await record(service, tx, { action: "person.profile_changed", personId, actor: personId });
  });
}
