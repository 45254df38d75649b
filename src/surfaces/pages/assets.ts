import { readFileSync } from "node:fs";
import type { Route } from "../../http/route/route.ts";

const FILES = [
  {
    name: "leadgate.css",
    type: "text/css; charset=utf-8",
    of: ["tokens.css", "frame.css", "leadgate.css"],
  },
  { name: "leadgate.svg", type: "image/svg+xml", of: ["leadgate.svg"] },
  { name: "passkey.js", type: "text/javascript; charset=utf-8", of: ["passkey.js"] },
  { name: "consent.js", type: "text/javascript; charset=utf-8", of: ["consent.js"] },
  { name: "approval.js", type: "text/javascript; charset=utf-8", of: ["approval.js"] },
  { name: "copy.js", type: "text/javascript; charset=utf-8", of: ["copy.js"] },
  { name: "once.js", type: "text/javascript; charset=utf-8", of: ["once.js"] },
];

const textOf = (file: string): string =>
  readFileSync(new URL(`../../../assets/${file}`, import.meta.url), "utf8");

/** The stylesheet, the icon and the scripts, read once. The panel is built with the first two styles. */
export const assetRoutes: Route[] = FILES.map(({ name, type, of }) => {
  const body = of.map(textOf).join("");
  return {
    method: "GET",
    url: `/assets/${name}`,
    always: true,
    handle: async () => ({
      status: 200,
      body,
      type,
      headers: { "Cache-Control": "public, max-age=300", "X-Content-Type-Options": "nosniff" },
    }),
  };
});
