import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { Refusal } from "../../../core/refusal.ts";
import { record } from "../../operation/audit/record.ts";
import { anonymousOperation } from "../../operation/callers.ts";
import type { Service } from "../../operation/service/service.ts";
import { type Entered, enter, noteFailure, tellOfBrowser } from "../sessions/enter.ts";
import { relyingParty, webauthn } from "./passkey.ts";
import { newChallenge, takeChallenge } from "./passkey-challenge.ts";

interface Stored {
  personId: string;
  verified: boolean;
  publicKey: Buffer;
  transports: string[];
}

/**
 * The options with which the browser finds a passkey. They name no account, so they do not reveal who has a
 * passkey.
 */
export const beginPasskeySignIn = anonymousOperation({
  name: "sign_in.begin_passkey",
  async run({ service, caller: { visit } }): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await webauthn();
    return await generateAuthenticationOptions({
      rpID: relyingParty(service).rpID,
      challenge: new Uint8Array(await newChallenge(service, { place: visit, personId: null })),
      timeout: 300_000,
      userVerification: "required",
    });
  },
});

/** Signs in with a passkey. The device verified the person, so it counts as both factors. */
export const passkeySignIn = anonymousOperation({
  name: "sign_in.passkey",
  async run(
    { service, db, caller: at },
    { answer }: { answer: AuthenticationResponseJSON },
  ): Promise<Entered> {
    const [stored] = await db.query<Stored>(
      `SELECT person_id AS "personId", verified_at IS NOT NULL AS verified, public_key AS "publicKey", transports
       FROM passkey JOIN person ON person.id = person_id WHERE passkey.id = $1`,
      [answer.id],
    );
    const counter = stored === undefined ? undefined : await counterOf(service, stored, answer, at.visit);
    if (stored === undefined || counter === undefined) {
      if (stored !== undefined) noteFailure(service, stored.personId, "passkey");
      throw unknown();
    }
    const { personId, verified } = stored;
    const entered = await db.transaction(async (tx) => {
      const moved = await tx.query(
        `UPDATE passkey SET counter = $2, last_used_at = moment()
       WHERE id = $1 AND ($2 > counter OR ($2 = 0 AND counter = 0)) RETURNING id`,
        [answer.id, counter],
      );
      const shown = { method: "passkey", second_factor: "passkey" } as const;
      if (moved.length > 0) return await enter(service, tx, { personId, verified, former: at.former, shown });
      // removed since it was read, for example by a reset
      if ((await tx.query("SELECT FROM passkey WHERE id = $1", [answer.id])).length === 0) return undefined;
      // the counter did not increase: there may be a copy of this passkey (WebAuthn 6.1.1)
      await record(service, tx, { action: "person.passkey_copied", personId, data: { counter } });
      return undefined;
    });
    if (entered === undefined) throw unknown();
    tellOfBrowser(service, personId, at.device);
    return entered;
  },
});

/**
 * Returns the counter if the response verifies. The library would compare it before the signature; we compare it
 * afterwards, atomically.
 */
async function counterOf(
  service: Service,
  stored: Stored,
  answer: AuthenticationResponseJSON,
  visit: string,
): Promise<number | undefined> {
  const { rpID, origin } = relyingParty(service);
  const handle = answer.response.userHandle;
  if (handle !== undefined && Buffer.from(handle, "base64url").toString() !== stored.personId)
    return undefined;
  let challenge = "";
  const { verifyAuthenticationResponse } = await webauthn();
  const verification = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: (signed) => {
      challenge = signed;
      return true;
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id: answer.id, publicKey: new Uint8Array(stored.publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch((error: unknown) => service.log.debug({ err: error }, "a passkey did not verify"));
  // outside the library's call, so that a database error is not reported as a bad passkey
  if (verification?.verified !== true) return undefined;
  const asked = { place: visit, personId: null };
  if (!(await takeChallenge(service, asked, challenge))) return undefined;
  return verification.authenticationInfo.newCounter;
}

const unknown = (): Refusal =>
  new Refusal(
    "unauthenticated",
    "bad_passkey_sign_in",
    "This passkey did not work. Sign in with your password.",
  );
