import type { Endpoint } from "../../../contract/basics/endpoint.ts";
import type { Route } from "../../../http/route/route.ts";

/** Returns the route of an endpoint whose URL ends in a slash, and the same route without the slash. */
export const bothSpellings = (endpoint: Endpoint, make: (endpoint: Endpoint) => Route): readonly Route[] => [
  make(endpoint),
  make({ ...endpoint, url: endpoint.url.replace(/\/$/, "") }),
];
