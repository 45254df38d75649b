export { makeDataDir } from "./host/data-dir.ts";
export { EmbeddedError } from "./host/embedded-error.ts";
export { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from "./start.ts";
