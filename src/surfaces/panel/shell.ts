import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Me } from "../../contract/me.ts";
import type { Words } from "../../core/locale.ts";
import type { Look } from "../../core/look.ts";
import { SCREENS } from "../../core/panel.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import { perform } from "../../domain/operation/operation.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { readFeed } from "../../domain/timeline/read-feed.ts";
import { lookOf } from "../../http/request/look.ts";
import { type Html, html, htmlReply } from "../../http/response/html.ts";
import type { Route } from "../../http/route/route.ts";
import { sessionCaller } from "../../http/session/session-caller.ts";
import { builtPanel } from "./built.ts";
import { meOf } from "./me.ts";

const WORDS: Words<{ script: string }> = {
  en: { script: "This screen needs JavaScript. The pages for your account, API keys and members do not." },
  "pt-BR": {
    script:
      "Esta tela precisa de JavaScript. As páginas da sua conta, das chaves de API e dos membros não precisam.",
  },
};

/** The page that holds the panel, at the URL of each of its screens. Requires a session and a membership. */
export const shellRoutes: readonly Route[] = SCREENS.map((address) => ({
  method: "GET",
  url: `/projects/:project/${address}`,
  async handle(service: Service, request: FastifyRequest) {
    const me = await meOf(service, request);
    if (me === undefined) throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
    const { project } = request.params as { project: string };
    if (!me.projects.some(({ id }) => id === project)) throw notFound("project");
    const cursor = await feedEnd(service, request);
    const nonce = randomBytes(16).toString("base64url");
    const document = shell(await builtPanel(service), me, lookOf(request), nonce, { project, cursor });
    return htmlReply(200, document, { "Content-Security-Policy": policy(nonce) });
  },
}));

/**
 * Returns the end of the project's feed before the panel reads anything, so that it can follow from there without a gap.
 * Empty if it cannot be read now: the panel then finds it later and reads again what it shows.
 */
async function feedEnd(service: Service, request: FastifyRequest): Promise<string> {
  try {
    const caller = await sessionCaller(request, service);
    return (await perform(service, readFeed, caller, { since: "now", limit: 1 })).nextCursor;
  } catch (error) {
    if (error instanceof Refusal) return "";
    throw error;
  }
}

/** Scripts only from our own files; styles from them, and those that Mantine adds, which carry the nonce. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

type Built = Awaited<ReturnType<typeof builtPanel>>;

const shell = (
  { script, styles, ahead }: Built,
  me: Me,
  look: Look,
  nonce: string,
  feed: { project: string; cursor: string },
): Html => html`<!doctype html>
<html lang="${me.locale}"${look === "auto" ? "" : html` data-look="${look}" data-mantine-color-scheme="${look}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="leadgate-me" content="${JSON.stringify(me)}">
<meta name="leadgate-feed" content="${feed.cursor}" data-project="${feed.project}">
<meta property="csp-nonce" nonce="${nonce}">
<title>Leadgate</title>
${styles.map((file) => html`<link rel="stylesheet" href="/panel/${file}">\n`)}
${ahead.map((file) => html`<link rel="modulepreload" href="/panel/${file}">\n`)}
<script type="module" src="/panel/${script}"></script>
<link rel="icon" href="/assets/leadgate.svg" type="image/svg+xml">
</head>
<body>
<div id="panel"></div>
<noscript><p class="lg-noscript">${WORDS[me.locale].script}</p></noscript>
</body>
</html>
`;
