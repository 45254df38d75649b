export { Leadgate } from "./client.ts";
export { type FaultDetail, LeadgateError } from "./error.ts";
export type { FollowOptions } from "./follow-events.ts";
export type * from "./generated/schema.ts";
export type { Items } from "./items.ts";
export type { LeadWith } from "./leads.ts";
export type { Answer, CallOptions, ClientOptions, ConditionalOptions, FileBody } from "./transport.ts";
export { type WriteOnce, writeOnce } from "./write-once.ts";
