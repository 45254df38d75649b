import manifest from "../../../package.json" with { type: "json" };

/** The release that this code is, as a semantic version. */
export const RELEASE: string = manifest.version;
