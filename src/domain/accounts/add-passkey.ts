import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { Refusal } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";
import { tell } from "../operation/mail/notices.ts";
import type { Service } from "../operation/service/service.ts";
import { holdSession } from "./sessions/hold-session.ts";
import { relyingParty, webauthn } from "./sign-in/passkey.ts";
import { newChallenge, takeChallenge } from "./sign-in/passkey-challenge.ts";

const MOST = 20;

const manyPasskeys = (): Refusal =>
  new Refusal("conflict", "many_passkeys", `You have ${MOST} passkeys. Remove one first.`);

/** The options with which the browser makes a passkey: discoverable, and the device must verify the person. */
export const beginPasskey = personOperation({
  name: "passkeys.begin",
  async run({ service, db, caller: { person, session } }): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const known = await db.query<{ id: string; transports: string[] }>(
      "SELECT id, transports FROM passkey WHERE person_id = $1",
      [person.id],
    );
    if (known.length >= MOST) throw manyPasskeys();
    const { generateRegistrationOptions } = await webauthn();
    return await generateRegistrationOptions({
      rpName: "Leadgate",
      rpID: relyingParty(service).rpID,
      userID: new Uint8Array(new TextEncoder().encode(person.id)),
      userName: person.email,
      userDisplayName: person.name,
      challenge: new Uint8Array(await newChallenge(service, { place: session, personId: person.id })),
      timeout: 300_000,
      excludeCredentials: known,
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  },
});

/**
 * Stores the passkey that the browser made. `bad_passkey` if the response does not verify, `passkey_taken` if the
 * id is known, `many_passkeys` if the person has too many by now.
 */
export const addPasskey = personOperation({
  name: "passkeys.add",
  async run(
    { service, db, caller: { person, session } },
    made: { name: string; answer: RegistrationResponseJSON },
  ) {
    const name = nameOf(made.name);
    const credential = await verified(service, person.id, session, made.answer);
    await db.transaction(async (tx) => {
      // it locks the person, so that passkeys that are added at once are counted
      await holdSession(tx, { person, session });
      const added = await tx.query(
        `INSERT INTO passkey (id, person_id, public_key, counter, transports, name)
       SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM passkey WHERE person_id = $2) < $7
       ON CONFLICT (id) DO NOTHING RETURNING id`,
        [
          credential.id,
          person.id,
          Buffer.from(credential.publicKey),
          credential.counter,
          credential.transports ?? [],
          name,
          MOST,
        ],
      );
      if (added.length === 0) {
        const taken = await tx.query("SELECT FROM passkey WHERE id = $1", [credential.id]);
        if (taken.length === 0) throw manyPasskeys();
        throw new Refusal("conflict", "passkey_taken", "This passkey is already in use.");
      }
      const who = { personId: person.id, actor: person.id };
      await record(service, tx, { action: "person.passkey_added", ...who, data: { name } });
    });
    tell(service, person.id, { kind: "passkey_added", name });
  },
});

async function verified(
  service: Service,
  personId: string,
  session: string,
  answer: RegistrationResponseJSON,
) {
  const { rpID, origin } = relyingParty(service);
  let challenge = "";
  const { verifyRegistrationResponse } = await webauthn();
  const verification = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: (signed) => {
      challenge = signed;
      return true;
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch((error: unknown) => service.log.debug({ err: error }, "a new passkey did not verify"));
  const credential = verification?.registrationInfo?.credential;
  // outside the library's call, so that a database error is not reported as a bad passkey
  const asked = { place: session, personId };
  if (credential !== undefined && (await takeChallenge(service, asked, challenge))) return credential;
  throw new Refusal("malformed", "bad_passkey", "This passkey could not be verified. Try again.");
}

function nameOf(text: string): string {
  const name = text.trim().toWellFormed();
  if (name === "" || name.length > 100 || name.includes("\0")) {
    throw new Refusal("malformed", "bad_passkey_name", "Give the passkey a name of 1 to 100 characters.");
  }
  return name;
}
