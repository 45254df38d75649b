export { EmbeddedError } from "./embedded-error.ts";
export { type EmbeddedOptions, startEmbedded } from "./start.ts";
