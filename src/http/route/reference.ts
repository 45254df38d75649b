import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { Refusal } from "../../core/refusal.ts";
import { acceptsEncoding } from "../response/accepts-encoding.ts";

// The page starts with an inline script, which contains no user data.
const SAFE = {
  "Content-Security-Policy":
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  Vary: "Accept-Encoding",
};

const FILES = [
  { url: "/reference/", file: "index.html", type: "text/html; charset=utf-8" },
  { url: "/reference/js/scalar.js", file: "scalar.js", type: "text/javascript; charset=utf-8" },
];

/** Adds the page that shows our OpenAPI document, under `/reference`. The build of the panel wrote it into `panelDir`. */
export function addReference(app: FastifyInstance, panelDir: string): void {
  app.get("/reference", (_request, reply) => reply.redirect("/reference/", 301));
  for (const { url, file, type } of FILES) {
    app.get(url, async (request, reply) => {
      const isCompressed = acceptsEncoding(request, "gzip");
      const bytes = await builtFile(join(panelDir, "reference", isCompressed ? `${file}.gz` : file));
      if (isCompressed) reply.header("Content-Encoding", "gzip");
      return reply.headers(SAFE).type(type).send(bytes);
    });
  }
}

async function builtFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ENOENT") throw cause;
    throw new Refusal(
      "unavailable",
      "reference_not_built",
      "This page is not built yet. Run npm run build, then reload it.",
    );
  }
}
