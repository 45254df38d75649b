import type { Route } from "../../../http/route/route.ts";

/** Returns a route at its URL with a trailing slash, and at the same URL without it. */
export const withSlash = (url: string, make: (url: string) => Route): readonly Route[] => [
  make(`${url}/`),
  make(url),
];
