import type { Endpoint } from "./shared/endpoint.ts";

type Members<Module> = Extract<Module[keyof Module], Endpoint>;

/** The endpoints of version 1 of the API, with their literal types. */
export type ApiEndpoint =
  | Members<typeof import("./datasets.ts")>
  | Members<typeof import("./events.ts")>
  | Members<typeof import("./exports.ts")>
  | Members<typeof import("./fields.ts")>
  | Members<typeof import("./filters.ts")>
  | Members<typeof import("./imports.ts")>
  | Members<typeof import("./jobs.ts")>
  | Members<typeof import("./leads.ts")>
  | Members<typeof import("./members.ts")>
  | Members<typeof import("./merges.ts")>
  | Members<typeof import("./rows.ts")>
  | Members<typeof import("./usage.ts")>
  | Members<typeof import("./views.ts")>;
