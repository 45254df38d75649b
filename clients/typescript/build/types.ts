import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3, type SchemaObject } from "openapi-typescript";
import ts from "typescript";

/** Returns the TypeScript types of an OpenAPI document: `operations`, and an exported type for each component. */
export async function typesOf(document: object): Promise<string> {
  const types = await openapiTS(document as OpenAPI3, {
    silent: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    // A default is what the service assumes: callers may leave such members out.
    defaultNonNullable: false,
    transform: prefixed,
  });
  return COMMENT_HEADER + astToString(types);
}

/** `^custom\.` and the like: names that continue freely after a prefix. */
const FREE_NAME = /^\^([a-z_]+)\\\./;

/** Types a string with such a pattern as a template, `custom.${string}`, so that it does not take every string. */
function prefixed({ type, pattern }: SchemaObject & { pattern?: string }): ts.TypeNode | undefined {
  const [, prefix] = type === "string" ? (FREE_NAME.exec(pattern ?? "") ?? []) : [];
  if (prefix === undefined) return undefined;
  const { factory, SyntaxKind } = ts;
  const rest = factory.createKeywordTypeNode(SyntaxKind.StringKeyword);
  const span = factory.createTemplateLiteralTypeSpan(rest, factory.createTemplateTail(""));
  return factory.createTemplateLiteralType(factory.createTemplateHead(`${prefix}.`), [span]);
}
