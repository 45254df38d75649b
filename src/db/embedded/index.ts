export { EmbeddedError } from "./embedded-error.ts";
export { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from "./start.ts";
