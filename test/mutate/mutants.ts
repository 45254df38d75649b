import { parseAst } from "vite";
import { inSql, longer } from "./texts.ts";

/** One change of one expression. `start` and `end` are offsets in the file's text. */
export interface Mutant {
  file: string;
  start: number;
  end: number;
  from: string;
  to: string;
  /** The top-level declaration that it is part of, if no function is around it; its users then run it. */
  constant?: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const SWAPPED: Record<string, string> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
};
const TWINS: Record<string, string> = { some: "every", every: "some", min: "max", max: "min" };
/** Types are erased, and what is logged is for people who read logs. */
const IGNORED = /^(TS(?!As|NonNull|Satisfies|Instantiation)|ImportDeclaration|ExportAllDeclaration)/;
const LOGS = /\blog\??\.(trace|debug|info|warn|error)\($/;

/** Every mutant of a file of TypeScript. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const found: Mutant[] = [];
  const walk = (node: Node, around: { constant?: string; inFunction: boolean }): void => {
    if (IGNORED.test(node.type) || isLogged(node, text)) return;
    for (const { start, end, to } of changesOf(node, text)) {
      const from = text.slice(start, end);
      const constant = around.inFunction ? {} : { constant: around.constant ?? "" };
      if (from !== to) found.push({ file, start, end, from, to, ...constant });
    }
    const isFunction = /Function/.test(node.type);
    for (const child of childrenOf(node)) {
      const name = node.type === "VariableDeclarator" ? (node.id as { name?: string }).name : undefined;
      const inside = around.inFunction || isFunction;
      walk(child, { inFunction: inside, ...orName(around.constant ?? name) });
    }
  };
  walk(parseAst(text, { lang: langOf(file) }) as unknown as Node, { inFunction: false });
  return found.filter((mutant) => isReadable(text, mutant));
}

const langOf = (file: string) => (file.endsWith(".tsx") ? "tsx" : "ts");

const orName = (constant: string | undefined) => (constant === undefined ? {} : { constant });

/** The file's text with the mutant in it. */
export const applied = (text: string, { start, end, to }: Mutant): string =>
  text.slice(0, start) + to + text.slice(end);

function isReadable(text: string, mutant: Mutant): boolean {
  try {
    parseAst(applied(text, mutant), { lang: langOf(mutant.file) });
    return true;
  } catch {
    return false;
  }
}

interface Change {
  start: number;
  end: number;
  to: string;
}

/** The changes of one node, without those of the nodes in it. */
function changesOf(node: Node, text: string): Change[] {
  const { start, end } = node;
  const own = text.slice(start, end);
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      return swapped(node, text);
    case "IfStatement":
    case "ConditionalExpression":
      return ["true", "false"].map((to) => ({ ...spanOf(node.test as Node), to }));
    case "UnaryExpression":
      return node.operator === "!" ? [{ start, end: start + 1, to: "" }] : [];
    case "Literal":
      return ofLiteral(node, own);
    case "TemplateElement":
      return ofText(start, own);
    case "ExpressionStatement":
      return /^(await )?(?!super\()[\w.#]+\??\(/.test(own) ? [{ start, end, to: "void 0;" }] : [];
    case "MemberExpression": {
      const property = node.property as Node & { name?: string };
      const twin = TWINS[property.name ?? ""];
      return twin === undefined ? [] : [{ ...spanOf(property), to: twin }];
    }
    default:
      return [];
  }
}

const spanOf = ({ start, end }: Node) => ({ start, end });

function swapped(node: Node, text: string): Change[] {
  const left = node.left as Node;
  const right = node.right as Node;
  const operator = String(node.operator);
  if (operator === "??") return [{ start: left.end, end: right.end, to: "" }];
  const to = SWAPPED[operator];
  const isText = [left, right].some((side) => /Template/.test(side.type) || typeof side.value === "string");
  if (to === undefined || (operator === "+" && isText)) return [];
  const at = text.indexOf(operator, left.end);
  return [{ start: at, end: at + operator.length, to }];
}

function ofLiteral({ value, start, end }: Node, own: string): Change[] {
  if (typeof value === "boolean") return [{ start, end, to: String(!value) }];
  if (typeof value === "number") return [{ start, end, to: String(value < 10 ? value + 1 : value * 10) }];
  if (typeof value !== "string") return [];
  const time = longer(value);
  return time === undefined ? ofText(start, own) : [{ start, end, to: JSON.stringify(time) }];
}

const ofText = (start: number, own: string): Change[] =>
  inSql(own).map(({ at, length, to }) => ({ start: start + at, end: start + at + length, to }));

const isLogged = (node: Node, text: string): boolean =>
  node.type === "CallExpression" &&
  LOGS.test(text.slice((node.callee as Node).start, (node.callee as Node).end + 1));

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === "string");
}
