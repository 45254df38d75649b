import { Refusal } from "../../core/refusal.ts";
import type { Service } from "../operation/service/service.ts";
import { TAKE, type TurnTaken, turnOf } from "./take-registration-turn.ts";

/** Counts the fetch of a document for the address that caused it: as many an hour as registrations, counted apart. */
export async function takeDocumentTurn(service: Service, ip: string): Promise<void> {
  const values = turnOf(service, ip, "document ");
  const [outcome] = await service.db.together<TurnTaken>([{ text: TAKE, values }]);
  if (outcome?.taken === true) return;
  throw new Refusal(
    "too_many",
    "too_many_documents",
    "Too many applications were looked up from your address within an hour. Try again later.",
    { retryAfter: Math.max(1, outcome?.wait ?? 3_600) },
  );
}
