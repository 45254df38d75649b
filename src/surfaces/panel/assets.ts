import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../../core/refusal.ts";
import type { Route } from "../../http/route/route.ts";

const TYPES: Readonly<Record<string, string | undefined>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The built files, compressed by the build; their names contain a hash of their content. */
export const assetRoutes: readonly Route[] = [
  {
    method: "GET",
    url: "/panel/assets/:file",
    always: true,
    async handle({ config }, request) {
      const { file } = request.params as { file: string };
      const type = TYPES[extname(file)];
      if (type === undefined || !/^\w[\w.-]*$/.test(file)) throw noSuchFile();
      const path = join(config.panelDir, "assets", file);
      for (const [encoding, ending] of encodingsOf(request)) {
        const bytes = await readFile(path + ending).catch(() => undefined);
        if (bytes === undefined) continue;
        const headers = {
          "Cache-Control": "public, max-age=31536000, immutable",
          "X-Content-Type-Options": "nosniff",
          Vary: "Accept-Encoding",
          "Content-Length": String(bytes.length),
          ...(encoding === "" ? {} : { "Content-Encoding": encoding }),
        };
        return { status: 200, body: Readable.from([bytes]), type, headers };
      }
      throw noSuchFile();
    },
  },
];

/** Returns the encodings that the browser accepts, best first, with the file extension of each (RFC 9110 12.5.3). */
function encodingsOf(request: FastifyRequest): Array<readonly [string, string]> {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  const takes = (name: string) =>
    new RegExp(`(?:^|[,\\s])${name}\\s*(?:,|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$))|$)`).test(accepted);
  const both = [["br", ".br"] as const, ["gzip", ".gz"] as const];
  return [...both.filter(([name]) => takes(name)), ["", ""]];
}

const noSuchFile = (): Refusal =>
  new Refusal("not_found", "not_found", "There is no such file. Reload the page.");
