import Fastify, { type FastifyInstance } from "fastify";

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
      return reply.code(statusCode).headers(headers).send(rawPayload);
    });
  }
}

async function load(): Promise<FastifyInstance> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const own = Fastify();
  await own.register(scalar, { routePrefix: "/reference", configuration: { url: "/openapi.json" } });
  return own;
}
