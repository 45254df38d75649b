import { personOperation } from "../../operation/callers.ts";

/** Turns a person's shortcuts of a single key in the panel on or off. */
export const setSingleKeys = personOperation({
  name: "account.set_single_keys",
  async run({ db, caller }, { on }: { on: boolean }) {
    await db.query("UPDATE person SET single_keys = $2 WHERE id = $1", [caller.person.id, on]);
  },
});
