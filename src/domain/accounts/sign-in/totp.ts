import { Secret, TOTP } from "otpauth";
import { seal, unseal } from "../../../core/secret.ts";
import type { Queryable, Transaction } from "../../../db/pool/database.ts";
import type { Service } from "../../operation/service/service.ts";
import type { Account } from "../people/account.ts";

const PERIOD = 30;
const SHAPE = { algorithm: "SHA1", digits: 6, period: PERIOD } as const;

/** The seal's purpose, which binds a sealed secret to its person. */
export const totpPurpose = (personId: string): string => `totp ${personId}`;

/**
 * The time step (RFC 6238 4.2) of a code of this secret by the database's clock, with a tolerance of one step;
 * undefined if the code is wrong.
 */
export async function stepOfCode(db: Queryable, secret: string, code: string): Promise<number | undefined> {
  const digits = code.replace(/[\s-]/g, "");
  if (!/^\d{6}$/.test(digits)) return undefined;
  const [clock] = await db.query<{ now: Date }>("SELECT moment() AS now");
  const timestamp = clock?.now.getTime() ?? 0;
  const totp = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: digits, timestamp, window: 1 });
  return delta === null ? undefined : Math.floor(timestamp / 1_000 / PERIOD) + delta;
}

/**
 * Uses up a code of the person's app: each works once, and none older than the last one used (RFC 6238 5.2). A secret
 * that a former key sealed is sealed with the first one, so that the former one can be removed.
 */
export async function takeTotp(
  service: Service,
  tx: Transaction,
  account: Account,
  code: string,
): Promise<boolean> {
  if (account.totp === null || code === "") return false;
  const secret = unseal(service.config.secretKeys, totpPurpose(account.id), account.totp);
  if (secret === undefined) {
    service.log.error({ person: account.id }, "no SECRET_KEY opens the secret of this authenticator app");
    return false;
  }
  const step = await stepOfCode(tx, secret, code);
  if (step === undefined) return false;
  const taken = await tx.query(
    `UPDATE person SET totp_step = $2, totp_sealed = $4
     WHERE id = $1 AND totp_step < $2 AND totp_sealed = $3 RETURNING id`,
    [account.id, step, account.totp, sealedFirst(service, account.id, account.totp, secret)],
  );
  return taken.length === 1;
}

/** The secret sealed with the first key: unchanged if it is already. */
function sealedFirst(service: Service, personId: string, sealed: string, secret: string): string {
  const [purpose, { secretKeys }] = [totpPurpose(personId), service.config];
  const isFirst = unseal(secretKeys.slice(0, 1), purpose, sealed) !== undefined;
  return isFirst ? sealed : seal(secretKeys, purpose, secret);
}

/** A new secret of 160 bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The URI that an authenticator app reads from the QR code. */
export const totpAddress = (service: Service, email: string, secret: string): string =>
  new TOTP({
    ...SHAPE,
    issuer: `Leadgate ${new URL(service.config.authUrl).hostname}`,
    label: email,
    secret: Secret.fromBase32(secret),
  }).toString();
