/** The parts of an OpenAPI document from which methods are made. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Record<string, Schema>;
  anyOf?: readonly Schema[];
}

interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
}

interface Content {
  required?: boolean;
  content?: Record<string, { schema: Schema }>;
}

interface Described {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { $ref?: string; headers?: object }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

/** What a response is to a caller: JSON, nothing, or a file that is returned as a stream. */
type Reply = "json" | "nothing" | "stream";

/** One operation, as its method needs it. */
export interface Operation {
  /** `leads.search` */
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | undefined;
  deprecated: boolean;
  /** Names of the parameters in the path, in their order. */
  params: readonly string[];
  query: "none" | "optional" | "required";
  body: "none" | "json" | "file";
  /** Whether the body may be left out. */
  mayLackBody: boolean;
  ifMatch: boolean;
  reply: Reply;
  /** The successful statuses, each with the TypeScript type of its data. */
  answers: readonly { status: number; data: string }[];
  /** TypeScript types of the query and the body. */
  types: { query: string; body: string };
  /** If it lists by cursor: the members of a page that hold the items, and where the cursor is sent. */
  list: { items: readonly string[]; cursor: "query" | "body" } | undefined;
  /** Whether it may be sent again although it may already have been performed. */
  repeatable: boolean;
}

/** Returns the operations of a document in its order. Throws if one cannot become a method. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(document, path, method, described)),
  );
}

function operationOf(
  document: OpenApiDocument,
  path: string,
  method: string,
  described: Described,
): Operation {
  const { operationId: id, summary, description, deprecated = false } = described;
  const { parameters = [], requestBody, responses } = described;
  const of = `operations[${JSON.stringify(id)}]`;
  const query = parameters.filter((parameter) => parameter.in === "query");
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const [file] = Object.keys(requestBody?.content ?? {}).filter((type) => type !== "application/json");
  const json = requestBody?.content?.["application/json"]?.schema;
  // A key that may only create has no use for this client, and every other program would have to ask for its answer.
  const told = good.filter(([, { content }]) => !JSON.stringify(content ?? {}).includes("/LeadAccepted"));
  const answers = told.map(([status, { content }]) => ({
    status: Number(status),
    data: dataType(content, `${of}["responses"][${status}]`),
  }));
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    deprecated,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    query: query.length === 0 ? "none" : query.some(({ required }) => required) ? "required" : "optional",
    body: file === undefined ? (json === undefined ? "none" : "json") : "file",
    mayLackBody: requestBody?.required !== true,
    ifMatch: parameters.some(({ $ref }) => $ref?.endsWith("/IfMatch")),
    reply: replyOf(good.map(([, { content }]) => content)),
    answers,
    types: {
      query: `NonNullable<${of}["parameters"]["query"]>`,
      body:
        json === undefined
          ? "FileBody"
          : named(json, `NonNullable<${of}["requestBody"]>["content"]["application/json"]`),
    },
    list: listOf(document, described),
    repeatable: isRepeatable(method, described),
  };
}

/** Returns the type of a schema: by its name if it is a component. */
const named = ({ $ref }: Schema, inline: string): string =>
  $ref === undefined ? inline : `schemas[${JSON.stringify($ref.split("/").at(-1))}]`;

function dataType(content: Content["content"], of: string): string {
  if (content === undefined) return "undefined";
  const json = content["application/json"]?.schema;
  const isFile = Object.keys(content).some((type) => type !== "application/json");
  return json === undefined || isFile
    ? "ReadableStream<Uint8Array>"
    : named(json, `${of}["content"]["application/json"]`);
}

function replyOf(contents: readonly Content["content"][]): Reply {
  const types = contents.flatMap((content) => Object.keys(content ?? {}));
  if (types.length === 0) return "nothing";
  return types.every((type) => type === "application/json") ? "json" : "stream";
}

/** A list by cursor takes a cursor and answers pages with `next_cursor`. The feed, which never ends, has `has_more`. */
function listOf(
  document: OpenApiDocument,
  { operationId, parameters = [], requestBody, responses }: Described,
): Operation["list"] {
  const page = membersOf(document, responses["200"]?.content);
  const inQuery = parameters.some(({ name }) => name === "cursor");
  if (page.next_cursor === undefined || page.has_more !== undefined) return undefined;
  if (!inQuery && membersOf(document, requestBody?.content).cursor === undefined) return undefined;
  const items = Object.keys(page).filter((member) => resolved(document, page[member]).type === "array");
  if (items.length === 0) throw new Error(`${operationId}: a page holds no items`);
  return { items, cursor: inQuery ? "query" : "body" };
}

/** Returns the members of a JSON body; those of all its forms, if there are several. */
function membersOf(document: OpenApiDocument, content: Content["content"] = {}): Record<string, Schema> {
  const { anyOf = [], ...schema } = resolved(document, content["application/json"]?.schema);
  const forms = [schema, ...anyOf.map((form) => resolved(document, form))];
  return Object.assign({}, ...forms.map(({ properties }) => properties));
}

const resolved = (document: OpenApiDocument, schema: Schema = {}): Schema =>
  schema.$ref === undefined
    ? schema
    : (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/**
 * Reads and upserts may be sent again. A POST reads if it has a body, needs no permission to write, and only
 * answers 200.
 */
function isRepeatable(
  method: string,
  { operationId, security = [], requestBody, responses }: Described,
): boolean {
  if (method === "get" || operationId === "leads.upsert") return true;
  const permissions = security.flatMap((kind) => Object.values(kind).flat());
  const reads = permissions.length > 0 && permissions.every((permission) => permission.endsWith(":read"));
  const good = Object.keys(responses).filter((status) => status.startsWith("2"));
  return method === "post" && requestBody !== undefined && reads && good.join() === "200";
}
