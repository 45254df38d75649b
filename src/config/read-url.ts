import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

/** Which URLs a setting accepts. */
export interface UrlForm {
  schemes: readonly string[];
  example: string;
  /** Whether the host may be left out. */
  hostless?: boolean;
  /** The form of the path, and what it must be. */
  path?: { form: RegExp; wanted: string };
}

const ENCODE =
  "In its name and password, some characters must be percent-encoded: %23 for #, %2F for /, %3F for ?, %40 for @, %25 for %.";

/**
 * Reads the URL of another service, which may have a password: no error and no warning shows its value. Undefined if the setting
 * is left out.
 */
export function readUrl(
  env: Environment,
  name: string,
  form: UrlForm,
  warnings: string[],
): string | undefined {
  const text = env[name];
  if (text === undefined) return undefined;
  const [, scheme = "", authority = "", rest = ""] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (!form.schemes.includes(scheme.toLowerCase()))
    throw new Error(`${name} must be a URL, such as ${form.example}${startOf(text, scheme)}.`);
  const [path = "", query = ""] = rest.split(/\?(.*)/s);
  // What comes after a # / or ? in a password ends with the @ before the host.
  if (rest.includes("#") || path.includes("@") || /^[^=]*@/.test(query))
    throw new Error(`${name} has a password that ends too early, or a #. ${ENCODE}`);
  const at = authority.lastIndexOf("@");
  const [user, host] = [authority.slice(0, Math.max(at, 0)), authority.slice(at + 1)];
  if (!isDecodable(user)) throw new Error(`${name} has a % that starts no character in UTF-8. ${ENCODE}`);
  if (/@|%(?![0-9a-f]{2})/i.test(user))
    warnings.push(
      `${name} has an @ or a % in its name or password, and other programs may refuse it. ${ENCODE}`,
    );
  if (host === "" ? form.hostless !== true : !URL.canParse(`${scheme}://${host}`))
    throw new Error(
      `${name} must be a URL, such as ${form.example}; it has ${host === "" ? "no host" : "a host or a port that cannot be read"}.`,
    );
  if (form.path !== undefined && !form.path.form.test(path))
    throw new Error(`${name} has the path "${path}"; it must be ${form.path.wanted}.`);
  return text;
}

/** How a text that is no such URL starts; empty if that would show what may be a secret. */
function startOf(text: string, scheme: string): string {
  if (scheme !== "") return `; it starts with ${scheme}://`;
  if (/^["']/.test(text)) return "; it starts with a quotation mark";
  if (/^\s/.test(text)) return "; it starts with a space";
  return /^\w+\s*=/.test(text) ? "; it is a list of names and values (host=…)" : "";
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
    return true;
  } catch {
    return false;
  }
}

/** Throws unless the file that a part of a URL names can be read. */
export function checkFile(name: string, part: string, path: string | null): void {
  if (path === null) return;
  try {
    readFileSync(path);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Error(`${name}: ${part} names the file "${path}", which cannot be read (${code}).`);
  }
}
