import { randomBytes } from "node:crypto";
import { hashOf } from "../../../core/secret.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";

const COUNT = 10;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** A code of 80 bits in four groups, without letters that look alike: `7k3m-…`. */
function newCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET.charAt(byte % 32));
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join("")).join("-");
}

/** Normalizes a typed code: any case, with or without hyphens, o for 0, i and l for 1. */
const plain = (code: string): string =>
  code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");

const hashFor = (code: string): Buffer => hashOf(`recovery ${plain(code)}`);

/** Makes ten new codes for a person, to be shown once; the previous ones end. */
export async function renewRecoveryCodes(tx: Transaction, personId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await tx.query("DELETE FROM recovery_code WHERE person_id = $1", [personId]);
  await tx.query("INSERT INTO recovery_code (person_id, hash) SELECT $1, unnest($2::bytea[])", [
    personId,
    codes.map(hashFor),
  ]);
  return codes;
}

/** Uses up a recovery code and returns how many are left, which is audited; undefined if the code is wrong. */
export async function takeRecoveryCode(
  service: Service,
  tx: Transaction,
  personId: string,
  code: string,
): Promise<number | undefined> {
  if (plain(code).length !== 16) return undefined;
  const taken = await tx.query(
    "DELETE FROM recovery_code WHERE person_id = $1 AND hash = $2 RETURNING person_id",
    [personId, hashFor(code)],
  );
  if (taken.length === 0) return undefined;
  const left = await tx.query("SELECT FROM recovery_code WHERE person_id = $1", [personId]);
  const entry = { action: "person.recovery_code_used", personId, actor: personId };
  await record(service, tx, { ...entry, data: { left: left.length } });
  return left.length;
}
