import { readFileSync } from "node:fs";
import type { Route } from "../../http/route.ts";

const FILES = [
  { name: "leadgate.css", type: "text/css; charset=utf-8" },
  { name: "leadgate.svg", type: "image/svg+xml" },
];

/** The stylesheet and the icon, read once. */
export const assetRoutes: Route[] = FILES.map(({ name, type }) => {
  const body = readFileSync(new URL(`../../../assets/${name}`, import.meta.url), "utf8");
  return {
    method: "GET",
    url: `/assets/${name}`,
    handle: async () => ({
      status: 200,
      body,
      type,
      headers: { "Cache-Control": "public, max-age=300", "X-Content-Type-Options": "nosniff" },
    }),
  };
});
