export { LeadgateError } from "./error.ts";
export { Api } from "./generated/methods.ts";
export type * from "./generated/schema.ts";
export type { Items } from "./items.ts";
export type { Answer, CallOptions, ClientOptions, ConditionalOptions, FileBody } from "./transport.ts";
export { transport } from "./transport.ts";
export { type WriteOnce, writeOnce } from "./write-once.ts";
