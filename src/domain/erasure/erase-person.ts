import { type ErasedPerson, PersonErasure } from "../../contract/people.ts";
import { Refusal } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { rehearse } from "../leads/bulk/preview-bulk.ts";
import { actorOf } from "../operation/actor.ts";
import { record } from "../operation/audit/record.ts";
import { may } from "../operation/may-sql.ts";
import { checked, memberOperation, requiring } from "../operation/operation.ts";
import { bad } from "../values/bad-input.ts";
import { certificatesOf, newCertificate } from "./certificate.ts";
import { erase } from "./erase.ts";
import { countryOf, findPerson } from "./find-subject.ts";
import { listsOf, readPerson } from "./read-person.ts";

/**
 * Erases a person: all leads with an e-mail address or phone number, and everything that the service holds of them. The
 * audit log keeps a certificate that recognizes the identity without containing it, even if nothing was held.
 */
export const erasePerson = memberOperation({
  name: "people.erase",
  needs: "leads:erase",
  input: PersonErasure,
  async run(asked, input): Promise<ErasedPerson> {
    const context = input.dry_run ? requiring(asked, { any: ["leads:erase"], all: ["leads:read"] }) : asked;
    const { service, db, caller } = context;
    const { projectId } = caller;
    const { dry_run: dry = false, expected_leads: expected, suppress = false } = input;
    const country = await countryOf(db, projectId);
    const given = await checked(context, () => {
      if (!dry && expected === undefined) {
        const message = "is required: how many leads you expect to erase; dry_run reports their number";
        bad("$.expected_leads", "required", message);
      }
      return readPerson(input, country);
    });
    const earlier = await certificatesOf(context, db, given);
    const made = newCertificate(context, given);
    const change = newChange(context, "person.erase");
    const erased = await erase(
      context,
      {
        change,
        async find(db, lock) {
          const found = await findPerson(db, projectId, given, lock);
          const count = found.leads.length;
          if (expected !== undefined && expected !== count)
            throw otherCount((await may(db, caller, "leads:read")) ? count : undefined, expected);
          return found;
        },
        history: listsOf(given),
        suppress,
        async finish(tx, counts) {
          const actor = (await actorOf(tx, caller)).id;
          const who = actor === null ? {} : { actor };
          const data = { ...made, ...counts };
          await record(service, tx, { action: "person.erased", projectId, ...who, data });
        },
      },
      (work) => (dry ? rehearse(db, work) : db.transaction(work)),
    );
    if (dry) change.made = false;
    return { certificate: dry ? null : made.certificate, dry_run: dry, erased, earlier };
  },
});

/** `found` is given only to callers who may read leads. */
function otherCount(found: number | undefined, expected: number): Refusal {
  const message = `${found ?? "Another number of"} leads have this e-mail address or phone number, or are merged with one that has, not ${expected}. Check them before you erase them; nothing was erased.`;
  const told = found === undefined ? "is not their number" : String(found);
  return new Refusal("conflict", "count_changed", message, {
    faults: [{ path: "$.expected_leads", code: "count_changed", message: told }],
  });
}
