export { EmbeddedError } from "./host/embedded-error.ts";
export { type EmbeddedOptions, startEmbedded } from "./start.ts";
