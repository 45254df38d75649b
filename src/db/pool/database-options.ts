import type { ConnectionOptions } from "./connections.ts";
import type { TimeLimits } from "./project-reads.ts";

export interface DatabaseOptions extends Omit<ConnectionOptions, "statementTimeoutMs"> {
  limits: TimeLimits;
  /** Whether statements may be prepared; poolers lose them. */
  prepared?: boolean;
}
