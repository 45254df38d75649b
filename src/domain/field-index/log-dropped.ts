import type { Service } from "../operation/service/service.ts";
import type { DroppedIndex } from "../tenancy/all-indexes.ts";

/** Logs indexes that the service dropped by itself. */
export function logDropped({ log }: Pick<Service, "log">, dropped: readonly DroppedIndex[]): void {
  for (const index of dropped) log.info(index, "an index of a field was dropped, because nothing used it");
}
