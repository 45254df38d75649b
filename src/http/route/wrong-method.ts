import { Refusal } from "../../core/refusal.ts";
import type { Reply } from "../response/reply.ts";
import type { Dialect, Surface } from "./serve.ts";

/** The methods of a URL that was requested with another one. */
export interface Addressed {
  surface: Surface;
  methods: string[];
}

/** Returns a function that finds a route with this path but another method; undefined if there is none. */
export function addressFinder(surfaces: readonly Surface[]): (path: string) => Addressed | undefined {
  const routes = surfaces.flatMap((surface) =>
    surface.routes.map(({ method, url }) => ({ surface, method, pattern: patternOf(url) })),
  );
  return (path) => {
    const here = routes.filter(({ pattern }) => pattern.test(path));
    const [first] = here;
    if (first === undefined) return undefined;
    const methods = here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    return { surface: first.surface, methods: methods.filter((method) => method !== "OPTIONS") };
  };
}

/** Returns 405 with Allow (RFC 9110 15.5.6), in the surface's dialect. */
export function wrongMethod({ surface, methods }: Addressed, request: Parameters<Dialect>[1]): Reply {
  const allow = methods.join(", ");
  const refusal = new Refusal("malformed", "wrong_method", `This URL accepts only ${allow}.`);
  const { headers, ...reply } = surface.dialect(refusal, request);
  return { ...reply, status: 405, headers: { ...headers, Allow: allow } };
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/:\w+/g, "[^/]+")
      .replace("*", ".*")}$`,
  );
