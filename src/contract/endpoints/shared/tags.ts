/** The chapters of /openapi.json. */
export const TAGS = [
  { name: "leads", description: "Search, count, read, write and change leads." },
  { name: "filters", description: "The fields of leads, and what a filter means." },
  { name: "timeline", description: "Events of leads, and the feed of all changes in the order of commits." },
  { name: "merges", description: "Find duplicates, merge them, and undo a merge." },
  { name: "people", description: "Erase a person, or export everything that is held about one." },
  { name: "exports", description: "Files of leads, made in the background." },
  { name: "imports", description: "Files of leads or of a dataset's rows, from upload to undo." },
  { name: "jobs", description: "Changes of many leads that run in the background." },
  { name: "fields", description: "The project's own fields and statuses." },
  { name: "views", description: "Saved queries, which filters can refer to." },
  { name: "members", description: "The people of the project." },
  { name: "usage", description: "What the project stores, and its rate limits." },
  { name: "datasets", description: "Tables that enrich leads, and their rows." },
  { name: "current", description: "The endpoints without a version. Their shape never changes." },
  { name: "discovery", description: "The metadata of the authorization server and of the MCP server." },
  { name: "oauth", description: "Registration, tokens, revocation and introspection." },
] as const;
