/**
 * Clients of MCP whose scheme is not a reversed domain name. The editors based on VS Code hand a URL of their
 * scheme to an extension, such as Cline: `vscode://saoudrizwan.claude-dev/mcp-auth/callback/…`.
 */
const KNOWN_CLIENTS = new Set([
  "cursor", // Cursor: cursor://anysphere.cursor-mcp/oauth/callback
  "vscode", // Visual Studio Code, and urlProtocol in product.json of its relatives:
  "vscode-insiders", // its Insiders edition
  "vscodium", // VSCodium
  "code-oss", // builds of its open source
  "windsurf", // Windsurf
  "kiro", // Kiro
  "trae", // Trae
  "antigravity", // Google Antigravity
  "positron", // Positron
  "claude", // Claude Desktop
  "warp", // Warp: warp://mcp/oauth2callback
  "raycast", // Raycast: raycast://oauth?package_name=…
]);

/** Schemes that run code in the browser, read files, start programs or act on the device; so does `ms-…`. */
const HANDLERS = new Set(
  `javascript vbscript data blob about file filesystem view-source chrome edge resource res jar mhtml shell hcp
  mailto tel sms smsto mms facetime ftp sftp ssh telnet ldap smb ws wss intent market android-app
  itms-services itms-apps search search-ms google.navigation google.streetview`.split(/\s+/),
);

/** First labels of dotted schemes that are not reversed domain names: handlers of Windows, Android and protocols. */
const NOT_DOMAINS = new Set("vnd microsoft windows outlook explorer android iris soap xmlrpc".split(" "));

/** A reversed domain name: a top-level domain first, then the labels of names below it (RFC 8252 7.1). */
const REVERSED_DOMAIN = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

const UNKNOWN =
  "has an unknown scheme; use https, a loopback address with http, or your reversed domain name, such as com.example.app";

/** Why redirects cannot use this scheme, which is in lowercase; undefined if they can. */
export function redirectSchemeFault(scheme: string): string | undefined {
  if (scheme === "https" || scheme === "http" || KNOWN_CLIENTS.has(scheme)) return undefined;
  // Windows opens `ie.http:` and `ie.ftp:` in a browser of its own, although .ie is a top-level domain.
  if (
    HANDLERS.has(scheme) ||
    /^ms-|^ie\.(?:http|ftp|assocfile)/.test(scheme) ||
    NOT_DOMAINS.has(scheme.split(".")[0] ?? "")
  ) {
    return "has the scheme of a program or of the device, which is not allowed for redirects";
  }
  if (REVERSED_DOMAIN.test(scheme)) return undefined;
  return UNKNOWN;
}
