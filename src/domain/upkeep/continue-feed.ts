import type { Service } from "../operation/service/service.ts";

/**
 * Makes all later events sort behind those that are there, and behind every cursor. Needed when data came from another
 * cluster, which was at other transaction ids. Takes milliseconds, however many events there are, once writers have ended.
 */
export async function continueFeed(service: Service): Promise<void> {
  await service.db.transaction(async (tx) => {
    await tx.allow(0);
    await tx.query("SELECT continue_feed()");
  });
}
