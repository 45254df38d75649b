import { checkToken } from "../../../domain/grants/check-token.ts";
import { operationDoor } from "../../../domain/operation/operation.ts";
import type { Exchange } from "./exchange.ts";
import type { Tool } from "./registry.ts";

type Offered = Pick<Tool, "needs" | "alsoNeeds" | "checksItself">;
type Asking = Pick<Exchange, "service" | "caller">;

/**
 * Refuses callers without the permission (401, 403), unless the operation checks them itself in its first
 * statement batch.
 */
export async function allowed({ service, caller }: Asking, offered: Offered): Promise<void> {
  if (offered.checksItself !== true) await mayUse(service, caller, offered);
}

async function mayUse(
  service: Exchange["service"],
  caller: Exchange["caller"],
  { needs, alsoNeeds }: Offered,
): Promise<void> {
  await service.db.behind(operationDoor({ needs, ...(alsoNeeds && { alsoNeeds }) }, caller)).open();
}

/**
 * Refuses an invalid token, or one without the permission: errors of a call are reported only to authorized
 * callers.
 */
export async function checkCaller({ service, caller }: Asking, offered?: Offered): Promise<void> {
  await (offered === undefined ? checkToken(service, caller) : mayUse(service, caller, offered));
}
