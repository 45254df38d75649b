import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the service listens, its public URLs, and who may stand between. */
interface Addresses {
  authUrl: string;
  baseUrl: string;
  authPort: number;
  apiPort: number;
  host: string;
  trustedProxies: string[];
  mcpOrigins: string[];
}

/** Reads the settings of addresses; throws an error that names the invalid one. */
export function readAddresses(env: Environment): Addresses {
  const authUrl = publicUrl(env, "AUTH_URL", "http://localhost:3000");
  const baseUrl = publicUrl(env, "BASE_URL", "http://localhost:3001");
  return {
    authUrl,
    baseUrl,
    authPort: portOf(env, "AUTH_PORT", authUrl),
    apiPort: portOf(env, "API_PORT", baseUrl),
    host: hostOf(env.HOST ?? "127.0.0.1"),
    trustedProxies: listOf(env.TRUSTED_PROXIES).map(proxyIn),
    mcpOrigins: listOf(env.MCP_ORIGINS).map(originIn),
  };
}

/** The parts of a list that is separated by commas. */
export const listOf = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The API may be below a path of a proxy; pages of the web host link to each other from the root. */
function publicUrl(env: Environment, name: "AUTH_URL" | "BASE_URL", usual: string): string {
  const text = env[name] ?? usual;
  const url = URL.parse(text);
  const must = (what: string): Error => {
    const shown = url?.password ? "has a password" : `is "${text}"`;
    return new Error(`${name} ${shown}; it must be an http or https URL${what}, such as ${usual}.`);
  };
  if (url === null || !/^https?:$/.test(url.protocol)) throw must("");
  if (url.username !== "" || url.password !== "") throw must(" without a name and a password");
  if (/[\s?#]/.test(text)) throw must(" without spaces, ? and #");
  if (name === "AUTH_URL" && !/^\/*$/.test(url.pathname)) throw must(" without a path");
  return text.replace(/\/+$/, "");
}

function portOf(env: Environment, name: string, url: string): number {
  const text = env[name];
  if (text === undefined) {
    const { port, protocol } = new URL(url);
    return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  }
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`${name} is "${text}"; it must be a port number from 0 to 65535.`);
  return port;
}

/** An IP address or a name; whether it is this machine's turns out when the service listens. */
function hostOf(text: string): string {
  if (isIP(text) !== 0 || /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i.test(text)) return text;
  throw new Error(
    `HOST is "${text}"; it must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.`,
  );
}

/** Names of ranges that Fastify knows. */
const RANGES = ["loopback", "linklocal", "uniquelocal"];

function proxyIn(text: string): string {
  const [address = "", length, ...more] = text.split("/");
  const isRange =
    length === undefined ||
    (/^[1-9]\d*$/.test(length) && ipaddr.isValidCIDR(text)) ||
    (isIP(address) === 4 && isIP(length) === 4);
  if (RANGES.includes(text) || (isIP(address) !== 0 && isRange && more.length === 0)) return text;
  throw new Error(
    `TRUSTED_PROXIES has "${text}"; each of its parts must be an address or a range such as 10.0.0.0/8.`,
  );
}

/** An origin as browsers send it, or `*`. */
function originIn(text: string): string {
  const isOrigin = /^https?:/i.test(text)
    ? URL.parse(text)?.origin === text && !text.includes("*")
    : /^[a-z][a-z\d+.-]*:\/\/[^/?#@*\s]+$/.test(text);
  if (text === "*" || isOrigin) return text;
  throw new Error(
    `MCP_ORIGINS has "${text}"; it must be an origin such as https://app.example.org, in small letters, without a path and a usual port; or * for all.`,
  );
}
