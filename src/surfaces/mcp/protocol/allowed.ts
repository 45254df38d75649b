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
  changes?: false,
): Promise<void> {
  const asked = { needs, ...(alsoNeeds && { alsoNeeds }), ...(changes === false && { changes }) };
  await service.db.behind(operationDoor(asked, caller)).open();
}

/**
 * Refuses an invalid token, or one without the permission: errors of a call are reported only to authorized
 * callers. One that has to ask before each change is authorized, too.
 */
export async function checkCaller({ service, caller }: Asking, offered?: Offered): Promise<void> {
  await (offered === undefined ? checkToken(service, caller) : mayUse(service, caller, offered, false));
}
