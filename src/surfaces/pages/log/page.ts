import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import {
  type LogEntry,
  type LogPage,
  readOwnLog,
  readProjectLog,
  wholeLog,
} from "../../../domain/usage/read-log.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import { type Visitor, visitorOf } from "../shared/signed-in.ts";
import { LOG_FORMATS } from "./files.ts";
import { logBody } from "./parts.ts";

const PAGE = 50;

/** A log's URL and how the visitor reads a page of it. */
interface Place {
  address: string;
  read(service: Service, visitor: Visitor, request: FastifyRequest, page: LogPage): Promise<LogEntry[]>;
}

const OWN: Place = {
  address: "/account/log",
  read: (service, visitor, _request, page) => perform(service, readOwnLog, visitor, page),
};

const OF_PROJECT: Place = {
  address: "/projects/:project/settings/log",
  read: (service, { person }, request, page) =>
    perform(service, readProjectLog, { personId: person.id, projectId: projectIn(request) ?? "" }, page),
};

/** The audit logs of a person's account and of a project, as pages and as files. */
export const auditLogRoutes: Route[] = [OWN, OF_PROJECT].flatMap(({ address, read }): Route[] => [
  {
    method: "GET",
    url: address,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const entries = await read(service, visitor, request, { before: beforeOf(request), limit: PAGE + 1 });
      const shown = entries.slice(0, PAGE);
      const here = request.url.split("?")[0] ?? "";
      const older = entries.length > PAGE ? `${here}?before=${shown.at(-1)?.id}` : undefined;
      const projectId = projectIn(request);
      const { auditDays } = service.config;
      const { locale } = visitor;
      const { title, body } = logBody({ locale, entries: shown, here, older, projectId, auditDays });
      return framed(visitor, title, body);
    },
  },
  ...Object.entries(LOG_FORMATS).map(
    ([name, format]): Route => ({
      method: "GET",
      url: `${address}.${name}`,
      async handle(service, request) {
        const visitor = await visitorOf(service, request);
        return await exported((page) => read(service, visitor, request, page), name, format);
      },
    }),
  ),
]);

/**
 * Returns the entire log as a download. The first page is read before the response starts, so that a refusal
 * still has its status.
 */
async function exported(
  read: (page: LogPage) => Promise<LogEntry[]>,
  name: string,
  { type, head, line }: (typeof LOG_FORMATS)["csv"],
): Promise<Reply> {
  const pages = wholeLog(read);
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

/** Returns the project in the URL; undefined for a person's own log. */
const projectIn = (request: FastifyRequest): string | undefined =>
  (request.params as { project?: string }).project;

function beforeOf(request: FastifyRequest): number | undefined {
  const { before } = request.query as { before?: unknown };
  if (before === undefined) return undefined;
  if (typeof before === "string" && /^[1-9]\d{0,14}$/.test(before)) return Number(before);
  throw new Refusal("malformed", "bad_page", "This page of the log does not exist.");
}
