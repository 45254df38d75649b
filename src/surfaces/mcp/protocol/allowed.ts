import { checkToken } from "../../../domain/grants/check-token.ts";
import { doorOf } from "../../../domain/tenancy/credential.ts";
import type { Exchange } from "./exchange.ts";
import type { Tool } from "./registry.ts";

type Offered = Pick<Tool, "needs" | "checksItself">;
type Asking = Pick<Exchange, "service" | "caller">;

/** Refuses a caller who may not use this (401, 403), unless what it runs refuses them itself in its first message. */
export async function allowed({ service, caller }: Asking, offered: Offered): Promise<void> {
  if (offered.checksItself !== true) await mayUse(service, caller, offered);
}

async function mayUse(
  service: Exchange["service"],
  caller: Exchange["caller"],
  { needs }: Offered,
): Promise<void> {
  await service.db.behind(doorOf(caller, needs)).open();
}

/** Whether a token lives and may use this: what is wrong with a call is told to nobody else. */
export async function checkCaller({ service, caller }: Asking, offered?: Offered): Promise<void> {
  await (offered === undefined ? checkToken(service, caller) : mayUse(service, caller, offered));
}
