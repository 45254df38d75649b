import type { HeaderName } from "../../contract/basics/endpoint.ts";
import { OUTCOMES } from "../../contract/lists/outcomes.ts";

/** A response header as OpenAPI describes it. */
interface Header {
  description: string;
  required?: true;
  schema: object;
  example?: string | number;
}

const text = { type: "string" };

/** `BodyTag` is the ETag of answers whose body has no version. */
export type DescribedHeader = HeaderName | "BodyTag";

/** The response headers of the API; `required` ones come with every answer that names them. */
export const HEADERS: Readonly<Record<DescribedHeader, Header>> = {
  BodyTag: {
    description: "Identifies this answer, for If-None-Match; never for If-Match (RFC 9110, section 8.8.3).",
    schema: text,
    example: 'W/"4HUFO0hS4QH-GeSVd5o_3xZ4lL0"',
  },
  "Content-Disposition": {
    description: "The name under which browsers save the file (RFC 6266).",
    required: true,
    schema: text,
    example: 'attachment; filename="leads.csv"',
  },
  Deprecation: {
    description: "Since when the endpoint is deprecated, in seconds since 1970 (RFC 9745).",
    required: true,
    schema: text,
    example: "@1764547200",
  },
  ETag: {
    description: "The version, for If-Match (RFC 9110, section 8.8.3).",
    required: true,
    schema: text,
    example: '"3"',
  },
  Link: {
    description: "Where to read what to call instead, with `rel` deprecation (RFC 9745, section 3).",
    required: true,
    schema: text,
    example: '</reference>; rel="deprecation"; type="text/html"',
  },
  Location: {
    description: "The URL of the record (RFC 9110, section 10.2.2).",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example: "/api/v1/leads/lead_019a2b3c4d5e7f8a9b0c1d2e3f405162",
  },
  RateLimit: {
    description: "How many calls remain (r), and seconds until one more (t).",
    schema: text,
    example: '"api";r=119;t=1',
  },
  "RateLimit-Policy": {
    description: "The limit: calls (q) in seconds (w) (draft-ietf-httpapi-ratelimit-headers-10).",
    schema: text,
    example: '"api";q=120;w=12',
  },
  "Retry-After": {
    description: "Seconds to wait before the call is repeated (RFC 9110, section 10.2.3).",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 2,
  },
  Sunset: {
    description: "From when on the endpoint may be gone (RFC 8594).",
    required: true,
    schema: text,
    example: "Tue, 01 Dec 2026 00:00:00 GMT",
  },
  "WWW-Authenticate": {
    description: "The kind of credential that is expected (RFC 9110, section 11.6.1).",
    required: true,
    schema: text,
    example: "Bearer",
  },
  "X-Leadgate-Change": {
    description:
      "The id of the change that the call made, for `GET /api/v1/changes/{id}` and its undo; absent if nothing was written.",
    schema: text,
    example: "chg_019a2b3c4d5e7f8a9b0c1d2e3f405162",
  },
  "X-Leadgate-Lane": {
    description:
      "`slow` if a statement took too long for the normal lane and ran in the slow one, where each project has one at a time; otherwise absent.",
    schema: { type: "string", enum: ["slow"] },
    example: "slow",
  },
  "X-Leadgate-Outcome": {
    description: "What the write did.",
    required: true,
    schema: { type: "string", enum: [...OUTCOMES] },
    example: "updated",
  },
  "X-Leadgate-Warning": {
    description:
      "A JSON array, in ASCII, of what is doubtful although the call succeeded: a value in a filter that is not an option of its field, an event type " +
      "of which the project has no event, a field that no filter may name, an e-mail or phone that other leads have, too (held). Each has path, code and message, like the " +
      "details of a refusal. At most 20, and fewer if several would exceed 2,000 characters; absent if nothing is doubtful.",
    schema: text,
    example:
      '[{"path":"$.filter.event.type","code":"unseen_event_type","message":"this project has no event of the type \\"email_opened\\"; the nearest types are \\"email.opened\\""}]',
  },
  "X-Request-Id": {
    description: "The id of the request: quote it to support.",
    required: true,
    schema: text,
    example: "req_019a2b3c4d5e7f8a9b0c1d2e3f405162",
  },
};
