import Fastify, { type FastifyInstance } from "fastify";

// The page starts with an inline script, which contains no user data.
const SAFE = {
  "Content-Security-Policy":
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Adds the page that shows our OpenAPI document, under `/reference`. Its module is loaded with the first
 * request: it would take a tenth of every start.
 */
export function addReference(app: FastifyInstance): void {
  let loaded: Promise<FastifyInstance> | undefined;
  for (const url of ["/reference", "/reference/*"]) {
    app.get(url, async (request, reply) => {
      loaded ??= load();
      const { statusCode, headers, rawPayload } = await (await loaded).inject({
        method: "GET",
        url: request.url,
      });
      // Unknown files are answered like other unknown URLs.
      if (statusCode === 404) return reply.callNotFound();
      return reply
        .code(statusCode)
        .headers({ ...headers, ...SAFE })
        .send(rawPayload);
    });
  }
}

async function load(): Promise<FastifyInstance> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const own = Fastify();
  await own.register(scalar, {
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
  return own;
}
