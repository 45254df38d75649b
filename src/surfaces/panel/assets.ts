import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { Refusal } from "../../core/refusal.ts";
import { acceptsEncoding } from "../../http/response/accepts-encoding.ts";
import type { Route } from "../../http/route/route.ts";

const TYPES: Readonly<Record<string, string | undefined>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The encodings that the build makes, best first, and how their files end. */
const BUILT = [["br", ".br"] as const, ["gzip", ".gz"] as const, ["", ""] as const];

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
      for (const [encoding, ending] of BUILT) {
        if (encoding !== "" && !acceptsEncoding(request, encoding)) continue;
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

const noSuchFile = (): Refusal =>
  new Refusal("not_found", "not_found", "There is no such file. Reload the page.");
