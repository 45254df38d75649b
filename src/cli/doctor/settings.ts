import ipaddr from "ipaddr.js";
import { isLoopbackHost } from "../../core/loopback.ts";
import { type Finding, mistake, ok, warning } from "./finding.ts";
import type { Installation } from "./installation.ts";

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Settings that cannot be read, and values that a start would refuse later. */
export async function checkSettings({ config, faults, changed }: Installation): Promise<Finding[]> {
  const found = faults.map(({ setting, message }) =>
    mistake(message, `Correct ${setting}; the service does not start with it.`),
  );
  if (!LEVELS.includes(config.logLevel))
    found.push(
      mistake(`LOG_LEVEL is "${config.logLevel}".`, `Set it to one of ${LEVELS.slice(0, 5).join(", ")}.`),
    );
  for (const name of ["databaseUrl", "databaseDirectUrl"] as const) {
    const setting = name === "databaseUrl" ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
    const given = config[name];
    if (given !== undefined && !/^postgres(ql)?:$/.test(URL.parse(given)?.protocol ?? ""))
      found.push(
        mistake(
          `${setting} is not a URL of PostgreSQL.`,
          "Write it as postgres://user:password@host/database.",
        ),
      );
  }
  const { smtpUrl } = config;
  if (smtpUrl !== undefined && !/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? ""))
    found.push(
      mistake("SMTP_URL is not a URL of a mail server.", "Write it as smtp://user:password@host:587."),
    );
  if (changed.length > 0)
    found.push(
      warning(
        `${changed.join(", ")}: the running instance has another value than the one here, which was examined.`,
        "Restart the service if it is to use what is set here.",
      ),
    );
  for (const range of config.trustedProxies) if (!isRange(range)) found.push(notRange(range));
  return found.length > 0 ? found : [ok("All settings can be read.")];
}

const notRange = (range: string): Finding =>
  mistake(
    `TRUSTED_PROXIES has "${range}", which is not an address.`,
    "List addresses or CIDRs, separated by commas: 10.0.0.10, 10.1.0.0/16.",
  );

/** The names that Fastify knows, too. */
const isRange = (range: string): boolean =>
  ["loopback", "linklocal", "uniquelocal"].includes(range) ||
  ipaddr.isValid(range) ||
  ipaddr.isValidCIDR(range);

/** The URLs, hosts and ports: whether they make sense together. */
export async function checkUrls({ config, ports }: Installation): Promise<Finding[]> {
  const { authUrl, baseUrl, host, authPort, apiPort, role, trustedProxies, metricsToken } = config;
  const urls = Object.entries({ AUTH_URL: authUrl, BASE_URL: baseUrl });
  const isLocal = (url: string) => isLoopbackHost(new URL(url).host);
  const found: Finding[] = [];
  for (const [name, url] of urls) {
    if (isLocal(url)) continue;
    if (url.startsWith("http:"))
      found.push(
        mistake(
          `${name} is ${url}: passwords and tokens would cross networks in plain text.`,
          `Put a proxy with TLS in front and set ${name} to its https URL (docs/operate/proxy.md).`,
        ),
      );
  }
  const locals = urls.filter(([, url]) => isLocal(url));
  if (locals.length === 1)
    found.push(
      mistake(
        `${locals[0]?.[0]} leads to this machine (${locals[0]?.[1]}), the other URL does not.`,
        "Set AUTH_URL and BASE_URL to the public URLs of the two hosts.",
      ),
    );
  else if (locals.length === 2 && !isLoopbackHost(host.includes(":") ? `[${host}]` : host))
    found.push(
      mistake(
        `HOST is ${host}, so other machines reach the service, but AUTH_URL and BASE_URL are on localhost: their links and sign-ins lead nowhere.`,
        "Set AUTH_URL and BASE_URL to the URLs that people use, or leave HOST out.",
      ),
    );
  if (new URL(authUrl).host === new URL(baseUrl).host)
    found.push(
      mistake(
        `AUTH_URL and BASE_URL are the same host (${new URL(authUrl).host}).`,
        "Give the web host and the API host a name or a port each; no path tells them apart.",
      ),
    );
  else if (role === "all" && authPort === apiPort && authPort !== 0)
    found.push(
      mistake(
        `AUTH_PORT and API_PORT are both ${authPort}.`,
        "Set them to two ports, such as 3000 and 3001.",
      ),
    );
  const isPublic = locals.length < 2;
  if (urls.some(([, url]) => url.startsWith("https:"))) {
    for (const [name, url, port] of [
      ["AUTH_PORT", authUrl, authPort],
      ["API_PORT", baseUrl, apiPort],
    ] as const)
      if (url.startsWith("https:") && ports.includes(port) && port === Number(new URL(url).port || 443))
        found.push(
          mistake(
            `${name} is ${port}, the port of the https URL, but the service itself speaks http.`,
            `Set ${name} to another port, such as ${name === "AUTH_PORT" ? 3000 : 3001}, and let the proxy lead there.`,
          ),
        );
    if (trustedProxies.length === 0)
      found.push(
        mistake(
          "TRUSTED_PROXIES is missing, although a proxy must end TLS for the https URLs: all clients share one limit and one address in the log.",
          "Set TRUSTED_PROXIES to the proxy's address as the service sees it.",
        ),
      );
  }
  for (const range of trustedProxies)
    if (/\/0$/.test(range))
      found.push(
        mistake(
          `TRUSTED_PROXIES has ${range}: everybody can claim any address.`,
          "List only the addresses of your proxies.",
        ),
      );
  if (isPublic && (metricsToken ?? "") === "")
    found.push(
      warning(
        "METRICS_TOKEN is missing: with public URLs, /metrics answers nobody.",
        "Set METRICS_TOKEN here and in Prometheus (docs/operate/observe.md).",
      ),
    );
  return found.length > 0 ? found : [ok(`AUTH_URL is ${authUrl}, BASE_URL is ${baseUrl}.`)];
}
