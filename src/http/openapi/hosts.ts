import { API, WEB } from "../../contract/all.ts";
import { type OpenApi, openApiDocument } from "./document.ts";

const TAGS = [
  ...["leads", "filters", "changes", "timeline", "merges", "people", "exports", "imports", "jobs", "fields"],
  ...["views", "members", "usage", "datasets", "current", "discovery", "oauth"],
];

/** Returns the document of the API host, which is at this URL. */
export const apiDocument = (url: string): OpenApi =>
  openApiDocument(API, {
    title: "Leadgate API",
    description:
      "Leads, their timelines and datasets, under API keys; a key reaches one project. Endpoints under /api/v1 " +
      "page by next_cursor and report errors as Problem. Those without a version end in a slash, page by offset, " +
      "report errors as SimpleProblem, and keep their shape. Times carry their offset (+00:00), absent values " +
      "are null, and unknown keys or parameters are errors. A call may name its project by project_id; it must " +
      "be the key's.",
    url,
    tags: TAGS,
  });

/** Returns the document of the web host, which is at this URL. */
export const webDocument = (url: string): OpenApi =>
  openApiDocument(WEB, {
    title: "Leadgate: authorization",
    description:
      "The OAuth 2.1 authorization server, through which applications get access to the MCP server at /mcp. Read the " +
      "addresses from the discovery documents.",
    url,
    tags: TAGS,
  });
