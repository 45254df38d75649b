import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { type LogScope, readLog, wholeLog } from "../../../domain/operation/audit/read-log.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { ownerDoor } from "../../../domain/tenancy/person-door.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import { type Visitor, visitorOf } from "../shared/signed-in.ts";
import { LOG_FORMATS } from "./files.ts";
import { logBody } from "./parts.ts";

const PAGE = 50;

/** A log's address with the scope that the visitor may read there. */
interface Place {
  address: string;
  scopeOf(visitor: Visitor, request: FastifyRequest): LogScope;
}

const OWN: Place = {
  address: "/account/log",
  scopeOf: ({ person }) => ({ personId: person.id }),
};

const OF_PROJECT: Place = {
  address: "/projects/:project/settings/log",
  scopeOf({ person }, request) {
    const { project: projectId } = request.params as { project: string };
    return { projectId, door: ownerDoor({ personId: person.id, projectId }) };
  },
};

/** What happened to a person's account, and in a project: to read page by page, and to take away as a file. */
export const auditLogRoutes: Route[] = [OWN, OF_PROJECT].flatMap(({ address, scopeOf }): Route[] => [
  {
    method: "GET",
    url: address,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const scope = scopeOf(visitor, request);
      const entries = await readLog(service, scope, { before: beforeOf(request), limit: PAGE + 1 });
      const shown = entries.slice(0, PAGE);
      const here = request.url.split("?")[0] ?? "";
      const older = entries.length > PAGE ? `${here}?before=${shown.at(-1)?.id}` : undefined;
      const projectId = "projectId" in scope ? scope.projectId : undefined;
      const { title, body } = logBody({ locale: visitor.locale, entries: shown, here, older, projectId });
      return framed(visitor, title, body);
    },
  },
  ...Object.entries(LOG_FORMATS).map(
    ([name, format]): Route => ({
      method: "GET",
      url: `${address}.${name}`,
      async handle(service, request) {
        const scope = scopeOf(await visitorOf(service, request), request);
        return await exported(service, scope, name, format);
      },
    }),
  ),
]);

/** The whole log as a download. Its first page is read before the answer begins: a refusal still has its status. */
async function exported(
  service: Service,
  scope: LogScope,
  name: string,
  { type, head, line }: (typeof LOG_FORMATS)["csv"],
): Promise<Reply> {
  const pages = wholeLog(service, scope);
  const first = await pages.next();
  async function* text() {
    yield head;
    if (first.done !== true) yield first.value.map(line).join("");
    for await (const entries of pages) yield entries.map(line).join("");
  }
  const day = new Date().toISOString().slice(0, 10);
  return {
    status: 200,
    type,
    body: Readable.from(text()),
    headers: {
      "Cache-Control": "no-store",
      "Content-Disposition": `attachment; filename="leadgate-log-${day}.${name}"`,
      "X-Content-Type-Options": "nosniff",
    },
  };
}

function beforeOf(request: FastifyRequest): number | undefined {
  const { before } = request.query as { before?: unknown };
  if (before === undefined) return undefined;
  if (typeof before === "string" && /^[1-9]\d{0,14}$/.test(before)) return Number(before);
  throw new Refusal("malformed", "bad_page", "This page of the log does not exist.");
}
