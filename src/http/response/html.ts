import type { Look } from "../../core/look.ts";
import type { Reply } from "./reply.ts";

/** A string that is HTML already. Only `html` makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | false | null | readonly Part[];

/** Returns HTML with every interpolation escaped, except nested `Html` and lists of it. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(pieces.map((piece, at) => piece + textOf(parts[at])).join(""));
}

function textOf(part: Part): string {
  if (part === undefined || part === null || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns an HTML document of the service, without script and readable on a phone. */
export function page(content: {
  title: string;
  body: Html;
  lang?: string;
  description?: string;
  look?: Look;
}): Html {
  return html`<!doctype html>
<html lang="${content.lang ?? "en"}"${content.look === undefined || content.look === "auto" ? "" : html` data-look="${content.look}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${content.title} · Leadgate</title>
${content.description === undefined ? "" : html`<meta name="description" content="${content.description}">`}
<link rel="stylesheet" href="/assets/leadgate.css">
<link rel="icon" href="/assets/leadgate.svg" type="image/svg+xml">
</head>
<body>
${content.body}
</body>
</html>
`;
}

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/**
 * Returns a page as a response with the headers of every page (no `form-action`, which would block OAuth's
 * redirects).
 */
export function htmlReply(status: number, document: Html, headers: Reply["headers"] = {}): Reply {
  return {
    status,
    body: document.text,
    type: "text/html; charset=utf-8",
    headers: { ...HEADERS, ...headers },
  };
}

/** Redirects by 303, with cookies to set. */
export const seeOther = (location: string, headers: Reply["headers"] = {}): Reply => ({
  status: 303,
  headers: { ...HEADERS, Location: location, ...headers },
});
