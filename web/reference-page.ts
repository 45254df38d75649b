import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import scalar from "@scalar/fastify-api-reference";
import Fastify from "fastify";
import type { Plugin } from "vite";

const FILES = { "index.html": "/reference/", "scalar.js": "/reference/js/scalar.js" };

/**
 * Writes the page that shows our OpenAPI document into `reference` of the build, plain and as gzip. Scalar brings 27 MB of
 * packages, of which the page needs one script.
 */
export function referencePage(): Plugin {
  let folder = "";
  return {
    name: "leadgate-reference",
    apply: "build",
    configResolved: ({ root, build }) => {
      folder = join(resolve(root, build.outDir), "reference");
    },
    async closeBundle() {
      const app = Fastify();
      await app.register(scalar, {
        routePrefix: "/reference",
        configuration: {
          url: "/openapi.json",
          // No third-party services: no fonts, no telemetry, no links to them.
          withDefaultFonts: false,
          telemetry: false,
          agent: { disabled: true },
          mcp: { disabled: true },
          showDeveloperTools: "never",
          hideClientButton: true,
        },
      });
      mkdirSync(folder, { recursive: true });
      for (const [file, url] of Object.entries(FILES)) {
        const { statusCode, rawPayload } = await app.inject(url);
        if (statusCode !== 200) throw new Error(`Scalar answers ${url} with ${statusCode}`);
        writeFileSync(join(folder, file), rawPayload);
        writeFileSync(join(folder, `${file}.gz`), gzipSync(rawPayload, { level: 9 }));
      }
      await app.close();
    },
  };
}
