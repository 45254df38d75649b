import { isLocale } from "../../../core/locale.ts";
import { Refusal } from "../../../core/refusal.ts";
import { record } from "../../operation/audit/record.ts";
import { personOperation } from "../../operation/callers.ts";
import { checkName } from "./create-person.ts";

/** Changes a person's name and language; an empty language follows the browser. */
export const changeProfile = personOperation({
  name: "account.change_profile",
  async run({ service, db, caller }, input: { name: string; locale: string }) {
    const { locale } = input;
    const personId = caller.person.id;
    const name = checkName(input.name);
    if (locale !== "" && !isLocale(locale)) {
      throw new Refusal("malformed", "bad_locale", "Choose one of the languages in the list.");
    }
    await db.transaction(async (tx) => {
      const changed = await tx.query(
        `UPDATE person SET name = $2, locale = $3
       WHERE id = $1 AND (name, locale) IS DISTINCT FROM ($2::text, $3::text) RETURNING id`,
        [personId, name, locale === "" ? null : locale],
      );
      if (changed.length === 0) return;
      await record(service, tx, { action: "person.profile_changed", personId, actor: personId });
    });
  },
});
