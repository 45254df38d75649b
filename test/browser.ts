/** A person's browser without script: keeps cookies, sends forms, does not follow redirects. */
export class Browser {
  readonly origin: string;
  readonly cookies = new Map<string, string>();

  constructor(origin: string) {
    this.origin = origin;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return await this.#send(path, { headers });
  }

  /** Posts a form; pairs allow a name to repeat. */
  async post(
    path: string,
    fields: Record<string, string> | Array<[string, string]>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const body = new URLSearchParams(fields).toString();
    const own = { "Content-Type": "application/x-www-form-urlencoded", Origin: this.origin };
    return await this.#send(path, { method: "POST", body, headers: { ...own, ...headers } });
  }

  /** Signs in on the sign-in page. */
  async signIn(person: { email: string; password: string }): Promise<Response> {
    const form = await formOf(await this.get("/sign-in"));
    return await this.post("/sign-in", { ...form.hidden, email: person.email, password: person.password });
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(path, this.origin), {
      ...init,
      redirect: "manual",
      headers: { ...init.headers, ...(cookie === "" ? {} : { Cookie: cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** Returns the first POST form of a page whose URL begins so: its URL and its hidden fields. */
export async function formOf(
  response: Response,
  start = "",
): Promise<{ action: string; hidden: Record<string, string>; page: string }> {
  const page = await response.text();
  const forms = page.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g);
  const form = forms.find(([, action = ""]) => action.startsWith(start)) ?? null;
  if (form === null) throw new Error(`no form on this page (${response.status}): ${page.slice(0, 400)}`);
  const hidden: Record<string, string> = {};
  for (const [, name = "", value = ""] of (form[2] ?? "").matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  )) {
    hidden[unescaped(name)] = unescaped(value);
  }
  return { action: unescaped(form[1] ?? ""), hidden, page };
}

const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
