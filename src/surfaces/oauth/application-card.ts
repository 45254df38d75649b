import { isLoopback, placeOfRedirect } from "../../domain/clients/redirect-uri.ts";
import { type Html, html } from "../../http/html.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** Who asks. All of it is the application's own word, but for the place it returns to. */
export function applicationCard({ client, redirectUri }: AuthorizationRequest): Html {
  const { client_name: name, client_uri: address, logo_uri: logo } = client.metadata;
  const picture =
    logo !== undefined &&
    /^https:/i.test(logo) &&
    html`<img class="logo" src="${logo}" alt="" width="64" height="64" referrerpolicy="no-referrer">`;
  const link =
    address !== undefined &&
    html`<dt>Address</dt>
<dd><a href="${address}" rel="noopener noreferrer nofollow" target="_blank"><bdi>${address}</bdi></a></dd>`;
  const here = isLoopback(redirectUri) ? " (an application on this device)" : "";
  return html`${picture}
<dl class="facts">
<dt>Application</dt>
<dd><bdi>${name}</bdi></dd>
${link}
<dt>Returns you to</dt>
<dd><strong><bdi>${placeOfRedirect(redirectUri)}</bdi></strong>${here}</dd>
</dl>
<p>This application registered itself. Nobody has verified its name, logo or address: go on only if
you know the place that it returns you to.</p>`;
}
