import { Type } from "typebox";
import { LIMIT_NAMES, type LimitName } from "../../core/limit.ts";
import { memberOperation } from "../operation/operation.ts";

/** The rate of a limit; null if there is no limit. */
type Pace = { per_minute: number; burst: number } | null;

/** The configured limits; null where there is none. */
export const describeLimits = memberOperation({
  name: "limits.describe",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ service, db }): Promise<Record<LimitName, Pace>> {
    await db.open();
    const paces = LIMIT_NAMES.map((name): [LimitName, Pace] => {
      const limit = service.config.limits[name];
      if (limit === null) return [name, null];
      return [name, { per_minute: Math.round(60_000_000 / limit.each), burst: limit.burst }];
    });
    return Object.fromEntries(paces) as Record<LimitName, Pace>;
  },
});
