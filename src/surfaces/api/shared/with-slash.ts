import type { Route } from "../../../http/route/route.ts";

/** A route at its URL with a slash at the end, and at the same URL without it. */
export const withSlash = (url: string, make: (url: string) => Route): readonly Route[] => [
  make(`${url}/`),
  make(url),
];
