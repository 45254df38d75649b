import { hashOf, macOf, randomSecret, sameText } from "../../../core/secret.ts";
import type { Service } from "../../operation/service/service.ts";
import { batchOf, inBatches } from "../../sql/in-batches.ts";

const LIFE = "5 minutes";

/** Whom a challenge is for: the browser's visit at sign-in; at a new passkey, the session and the person. */
interface Asked {
  place: string;
  personId: string | null;
}

/** `<random>.<epoch>.<until>.<MAC>`: it expires at `until` (milliseconds by the database's clock), or after a restore. */
const CHALLENGE = /^(?<body>[0-9a-f]{64}\.(?<epoch>\d{1,19})\.(?<until>\d{1,15}))\.(?<mac>[0-9a-f]{64})$/;

const CLOCK = `SELECT floor(extract(epoch FROM moment() + $1::interval) * 1000)::text AS until,
  (SELECT value FROM service_state WHERE key = 'epoch') AS epoch`;

// The row is the mark of a used challenge: of two answers at once, one writes it.
const USE = `INSERT INTO passkey_challenge (hash, expires_at)
  SELECT $1, to_timestamp($2::float8 / 1000) WHERE to_timestamp($2::float8 / 1000) > moment()
    AND EXISTS (SELECT FROM service_state WHERE key = 'epoch' AND value = $3)
  ON CONFLICT (hash) DO NOTHING RETURNING hash`;

/** Makes a challenge for one response, valid for five minutes. Nothing is stored: its MAC is what makes it ours. */
export async function newChallenge(service: Service, asked: Asked): Promise<Uint8Array> {
  const [clock] = await service.db.query<{ until: string; epoch: string }>(CLOCK, [LIFE]);
  const [newest] = service.config.secretKeys;
  if (newest === undefined || clock === undefined) throw new Error("a challenge needs a key and the epoch");
  const body = `${randomSecret()}.${clock.epoch}.${clock.until}`;
  return new TextEncoder().encode(`${body}.${macFor(newest, asked, body)}`);
}

/**
 * Uses up a challenge (base64url, as the browser signed it). True once, and only for whom it was made, before it
 * expires.
 */
export async function takeChallenge(
  { config, db }: Service,
  asked: Asked,
  challenge: string,
): Promise<boolean> {
  const text = Buffer.from(challenge, "base64url").toString("latin1");
  const { body, epoch, until, mac } = CHALLENGE.exec(text)?.groups ?? {};
  if (body === undefined || mac === undefined) return false;
  if (!config.secretKeys.some((key) => sameText(mac, macFor(key, asked, body)))) return false;
  const used = await db.query(USE, [hashOf(`used ${body}`), until, epoch]);
  return used.length === 1;
}

const OVER = batchOf("passkey_challenge", "hash", "expires_at < moment()");

/** Deletes the marks of used challenges that have expired since, in batches. */
export async function sweepChallenges({ db }: Service): Promise<void> {
  await inBatches(() => db.query(OVER));
}

const macFor = (key: string, { place, personId }: Asked, body: string): string =>
  macOf(key, "passkey challenge", `${personId ?? ""}\0${place}\0${body}`);
