import type { DocumentedRoute } from "./documented.ts";

/** What is documented at an address. */
export type Addressed =
  | { kind: "route"; route: DocumentedRoute; document: string; isPanel: boolean }
  /** No route, or none with this method: an address that a dialect refuses with this component. */
  | { kind: "refused"; refusal: string; document: string };

/** The component by which addresses without a route are refused. */
const PROBLEMS: ReadonlyArray<readonly [prefix: string, refusal: string]> = [
  ["/api/v1/", "Problem"],
  ["/panel/api/prj_", "Problem"],
  ["/api/leads/", "SimpleProblem"],
  ["/api/datasets/", "SimpleProblem"],
];
/** Preflights and methods that nobody knows are answered by the host. */
const REFUSED_METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const WRONG_METHOD_OF_OAUTH = { kind: "refused", refusal: "OAuthError", document: "web" } as const;
/** The panel calls the API's routes in the project of its address. */
const PANEL = /^\/panel\/api\/prj_[^/]+\//;
/** Endpoints without a version are served with a slash at their end and without it. */
const TWO_SPELLINGS = /^\/api\/(leads|datasets)(\/|$)/;

/** Returns a function that finds what the documents say about a request; undefined if nothing. */
export function addresses(
  documents: Record<string, readonly DocumentedRoute[]>,
): (method: string, path: string) => Addressed | undefined {
  const known = Object.entries(documents)
    .flatMap(([document, routes]) =>
      routes.map((route) => ({ document, route, pattern: patternOf(route.path) })),
    )
    // a fixed name comes before a parameter in the same place
    .sort((a, b) => (fixedFirst(a.route.path) < fixedFirst(b.route.path) ? -1 : 1));
  return (method, path) => {
    const isPanel = PANEL.test(path);
    const asked = isPanel ? path.replace(PANEL, "/api/") : path;
    const verb = method === "HEAD" ? "GET" : method;
    const at = known.find(({ route, pattern }) => route.method === verb && pattern.test(asked));
    if (at !== undefined) return { kind: "route", ...at, isPanel };
    const other = known.find(({ pattern }) => pattern.test(asked));
    if (!REFUSED_METHODS.has(verb)) return undefined;
    if (other?.document === "web") return WRONG_METHOD_OF_OAUTH;
    const [, refusal] = PROBLEMS.find(([prefix]) => path.startsWith(prefix)) ?? [];
    return refusal === undefined ? undefined : { kind: "refused", refusal, document: "api" };
  };
}

const fixedFirst = (path: string): string => path.replaceAll("{", "\u{ffff}");

function patternOf(path: string): RegExp {
  const plain = TWO_SPELLINGS.test(path) ? path.replace(/\/$/, "") : path;
  const literal = plain.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${literal}${TWO_SPELLINGS.test(path) ? "/?" : ""}$`);
}
