import Fastify, { type FastifyInstance } from "fastify";

// Its page starts itself by a script in its text, which carries nothing of anybody's.
const SAFE = {
  "Content-Security-Policy":
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
};

/**
 * The page that shows our OpenAPI to people, under `/reference`. What makes it is loaded with its first reader: it would
 * take a tenth of every start.
 */
export function addReference(app: FastifyInstance): void {
  let loaded: Promise<FastifyInstance> | undefined;
  for (const url of ["/reference", "/reference/*"]) {
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      loaded ??= load();
      const { statusCode, headers, rawPayload } = await (await loaded).inject({
        method: "GET",
        url: request.url,
      });
      // what the page does not have is nowhere, as at other addresses
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
      // nothing of its maker's own: no fonts, no count of calls, no buttons that lead to its services
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
