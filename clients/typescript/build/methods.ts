import type { Operation } from "./operations.ts";

/** A class of methods: `leads` with `search`, and within it `leads.events`. */
interface Group {
  name: string;
  operations: Operation[];
  groups: Map<string, Group>;
}

/** Returns a TypeScript module with a class for each group of operations, and `Api`, which holds them all. */
export function methodsOf(operations: readonly Operation[]): string {
  const root: Group = { name: "Api", operations: [], groups: new Map() };
  for (const operation of operations) {
    let group = root;
    for (const word of operation.id.split(".").slice(0, -1)) {
      const name = `${group === root ? "" : group.name}${capital(word)}`;
      const inner = group.groups.get(word) ?? { name, operations: [], groups: new Map() };
      group.groups.set(word, inner);
      group = inner;
    }
    group.operations.push(operation);
  }
  return [HEAD, ...classes(root)].join("\n");
}

const HEAD = `// Generated from the OpenAPI document by build/methods.ts.
import { type Items, items } from "../items.ts";
import { type Answer, type CallOptions, type ConditionalOptions, type FileBody, type Send, segment } from "../transport.ts";
import type { components, operations } from "./schema.ts";

type schemas = components["schemas"];
`;

const capital = (word: string): string =>
  word
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

/** \`filter_validate\` and \`dry-run\` as a method is called: \`filterValidate\`, \`dryRun\`. */
const camel = (word: string): string => {
  const name = capital(word);
  return name.charAt(0).toLowerCase() + name.slice(1);
};

/** The name of a parameter of the path; words that JavaScript reserves become those of an id. */
const parameter = (name: string): string => (RESERVED.has(name) ? `${name}Id` : camel(name));

const RESERVED = new Set(["default", "delete", "export", "import", "new", "switch"]);

function classes(group: Group): string[] {
  const inner = [...group.groups];
  const members = inner.map(([word, { name }]) => `  readonly ${camel(word)}: ${name};`);
  const made = inner.map(([word, { name }]) => `    this.${camel(word)} = new ${name}(send);`);
  const own = group.operations.length === 0 ? [] : ["  readonly #send: Send;"];
  const kept = group.operations.length === 0 ? [] : ["    this.#send = send;"];
  const body = [...own, ...members, "", "  constructor(send: Send) {", ...kept, ...made, "  }"];
  return [
    ...inner.flatMap(([, each]) => classes(each)),
    `export class ${group.name} {\n${[...body, ...group.operations.flatMap(methods)].join("\n")}\n}\n`,
  ];
}

function methods(operation: Operation): string[] {
  return [one(operation), ...(operation.list === undefined ? [] : [all(operation)])];
}

/** The parameters of a method: those of the path, the body, the query, the options. */
function parametersOf({
  params,
  body,
  mayLackBody,
  query,
  types,
  ifMatch,
}: Operation): { name: string; type: string; optional: boolean }[] {
  return [
    ...params.map((name) => ({ name: parameter(name), type: "string", optional: false })),
    ...(body === "none" ? [] : [{ name: "body", type: types.body, optional: mayLackBody }]),
    ...(query === "none" ? [] : [{ name: "query", type: types.query, optional: query === "optional" }]),
    { name: "options", type: ifMatch ? "ConditionalOptions" : "CallOptions", optional: true },
  ];
}

const signature = (operation: Operation): string =>
  parametersOf(operation)
    .map(({ name, type, optional }) => `${name}${optional ? "?" : ""}: ${type}`)
    .join(", ");

const answerType = ({ answers }: Operation): string => {
  const byData = Object.entries(Object.groupBy(answers, ({ data }) => data));
  return byData
    .map(([data, of = []]) => `Answer<${data}, ${of.map(({ status }) => status).join(" | ")}>`)
    .join(" | ");
};

function one(operation: Operation): string {
  const { id, method, path, params, body, query, reply, repeatable } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `\${segment(${parameter(name)})}`);
  const call = [
    `method: "${method}"`,
    `path: ${params.length === 0 ? `"${path}"` : `\`${filled}\``}`,
    ...(query === "none" ? [] : ["query"]),
    ...(body === "none" ? [] : [body === "json" ? "json: body" : "file: body"]),
    `reply: "${reply}"`,
    `repeatable: ${repeatable}`,
    "options",
  ];
  const name = camel(id.split(".").at(-1) ?? "");
  const type = answerType(operation);
  return `
${comment(operation, "")}
  ${name}(${signature(operation)}): Promise<${type}> {
    return this.#send({ ${call.join(", ")} });
  }`;
}

function all(operation: Operation): string {
  const { id, answers, list } = operation;
  const [page = { data: "" }] = answers;
  const name = camel(id.split(".").at(-1) ?? "");
  const place = list?.cursor === "body" ? "body" : "query";
  const given = parametersOf(operation).map((each) =>
    each.name === place ? `{ ...${place}, ...(cursor === undefined ? {} : { cursor }) }` : each.name,
  );
  const members = list?.items ?? [];
  const item = members
    .map((member) => `Extract<${page.data}, { ${member}: unknown }>["${member}"][number]`)
    .join(" | ");
  const [only, ...more] = members;
  const held =
    more.length === 0
      ? `page.${only}`
      : `[${members.map((each) => `...("${each}" in page ? page.${each} : [])`).join(", ")}]`;
  return `
${comment(operation, ` Reads every page, and returns the ${members.join(" and ")} one by one.`)}
  ${name}All(${signature(operation)}): Items<${item}, ${page.data}> {
    return items((cursor) => this.${name}(${given.join(", ")}), (page) => ${held});
  }`;
}

function comment({ summary, description, deprecated, method, path }: Operation, more: string): string {
  const words =
    description === undefined || description.startsWith(summary)
      ? (description ?? `${summary}.`)
      : `${summary}. ${description}`;
  const lines = [...`${words}${more}`.split("\n"), "", `\`${method} ${path}\``];
  // editors strike through what is marked like this; the description says what to call instead
  if (deprecated) lines.push("@deprecated");
  return ["  /**", ...lines.map((line) => `   * ${line.replaceAll("*/", "*\\/")}`.trimEnd()), "   */"].join(
    "\n",
  );
}
