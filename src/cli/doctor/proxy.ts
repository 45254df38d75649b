import { isLoopbackHost } from "../../core/loopback.ts";
import { type Asked, CLAIMED } from "./ask.ts";
import { type Finding, mistake, ok, warning, wordsOf } from "./finding.ts";
import type { Installation } from "./installation.ts";

/** Whether the instance with these settings serves on this machine. */
export async function checkService(installation: Installation): Promise<Finding[]> {
  return await Promise.all(
    installation.ports.map(async (port) => {
      const url = installation.here(port);
      try {
        const { seen, status } = await installation.asked(url);
        if (seen === undefined)
          return mistake(
            `What answers at ${url} (${status}) does not have the SECRET_KEY of these settings.`,
            "Run the doctor with the settings of the service, or stop the other program.",
          );
        if (status === 200) return ok(`Leadgate ${seen.release} serves at ${url}.`);
        return mistake(
          `Leadgate at ${url} is not ready (${status}).`,
          "Look at its log and at /readyz?verbose.",
        );
      } catch (error) {
        return mistake(
          `Nothing answers at ${url}: ${wordsOf(error)}.`,
          "Start the service, or correct HOST and its ports.",
        );
      }
    }),
  );
}

/** What the proxy makes of requests to AUTH_URL. */
export const checkAuthUrl = (installation: Installation): Promise<Finding[]> =>
  checkUrl(installation, "AUTH_URL", installation.config.authUrl, "web");

/** The same for BASE_URL. */
export const checkBaseUrl = (installation: Installation): Promise<Finding[]> =>
  checkUrl(installation, "BASE_URL", installation.config.baseUrl, "api");

async function checkUrl(
  installation: Installation,
  name: string,
  url: string,
  listener: string,
): Promise<Finding[]> {
  const { role, trustedProxies } = installation.config;
  if (role === "worker") return [ok(`No instance of this role serves ${name}.`)];
  let asked: Asked;
  try {
    asked = await installation.asked(url);
  } catch (error) {
    const words = wordsOf(error);
    const advice = /certificate|self.signed|altname|expired|TLS|SSL/i.test(words)
      ? "Renew the certificate of the proxy, or correct the name in it."
      : `Correct ${name}, its DNS name or the proxy. If only clients elsewhere reach it, ask from there: curl ${url}/readyz.`;
    return [mistake(`${name} (${url}) does not answer: ${words}.`, advice)];
  }
  const { seen, status, location, isDirect } = asked;
  if (location !== undefined && status >= 300 && status < 400)
    return [
      mistake(`${name} (${url}) is redirected to ${location}.`, `Set ${name} to the URL where it ends.`),
    ];
  if (seen === undefined)
    return [
      mistake(
        `What answers at ${name} (${url}, ${status}) is not this service.`,
        `Correct ${name}, or let the proxy pass all paths and headers to the service.`,
      ),
    ];
  if (seen.listener !== listener)
    return [
      mistake(
        `${name} (${url}) leads to the ${seen.listener === "web" ? "web host" : `${seen.listener} host`}, not to the ${listener} host.`,
        "Let the proxy lead AUTH_URL to AUTH_PORT and BASE_URL to API_PORT.",
      ),
    ];
  if (isDirect) return [ok(`${name} leads to this service, without a proxy.`)];
  const found = headersOf(name, url, seen, trustedProxies.length > 0);
  return found.length > 0
    ? found
    : [ok(`${name} leads to this service through a proxy at ${seen.peer.address}.`)];
}

/** What is wrong with the headers of a request that came through a proxy. */
function headersOf(
  name: string,
  url: string,
  { peer, addresses, forwardedFor, host }: NonNullable<Asked["seen"]>,
  hasTrusted: boolean,
): Finding[] {
  const found: Finding[] = [];
  if (!hasTrusted)
    found.push(
      mistake(
        `Requests to ${name} come through a proxy (${peer.address}), but TRUSTED_PROXIES is missing: all clients share one limit and one address in the log.`,
        `Set TRUSTED_PROXIES=${peer.address}.`,
      ),
    );
  else if (forwardedFor === null || forwardedFor.trim() === "")
    found.push(
      mistake(
        `The proxy of ${name} sends no X-Forwarded-For: all clients share one limit and one address in the log.`,
        "Let it send the address of the connection: proxy_set_header X-Forwarded-For $remote_addr (nginx), option forwardfor (HAProxy).",
      ),
    );
  else if (addresses.length < 2)
    found.push(
      mistake(
        `Requests to ${name} come from ${peer.address}, which is not in TRUSTED_PROXIES: all clients share one limit and one address in the log.`,
        `Add ${peer.address} to TRUSTED_PROXIES.`,
      ),
    );
  if (forwardedFor?.trim() === CLAIMED)
    found.push(
      mistake(
        `The proxy of ${name} passes on the X-Forwarded-For of clients unchanged, so each can claim any address.`,
        "Let it replace the header by the address of the connection, or append to it (docs/operate/proxy.md).",
      ),
    );
  const { host: wanted, hostname } = new URL(url);
  if (host !== wanted && host !== hostname && !isLoopbackHost(wanted))
    found.push(
      warning(
        `The proxy of ${name} sends the Host ${host ?? "(none)"} instead of ${hostname}.`,
        "Let it pass the Host on: proxy_set_header Host $host (nginx).",
      ),
    );
  return found;
}
