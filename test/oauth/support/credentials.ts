import { createHash, randomBytes } from "node:crypto";
import { checksumOf } from "../../../src/core/secret.ts";
import { offerReset } from "../../../src/domain/accounts/reset-link.ts";
import { perform } from "../../../src/domain/operation/operation.ts";
import { inviteMember } from "../../../src/domain/projects/invitations/invite-member.ts";
import { type Browser, formOf } from "../../browser.ts";
import type { World } from "../../world.ts";
import { Application, type Granted, tokensOf } from "./application.ts";

/** One valid credential of every kind, and what its legitimate use needs. */
export interface Everything {
  app: Application;
  browser: Browser;
  granted: Granted;
  credentials: Map<string, string>;
}

/** Creates every kind of credential that the service issues, each valid and unused. */
export async function everything(the: World): Promise<Everything> {
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const granted = await app.code(browser);
  const held = await app.tokens(browser);
  const former = await app.tokens(browser);
  await tokensOf(await app.refresh(former.refresh));
  const link = randomBytes(32).toString("hex");
  await the.sql("INSERT INTO leadgate.setup_link (hash, expires_at) VALUES ($1, now() + interval '1 day')", [
    createHash("sha256").update(link).digest(),
  ]);
  const form = await formOf(await browser.get(app.address()));
  const session = [...browser.cookies].find(([name]) => name.endsWith("leadgate_session"))?.[1] ?? "";
  const manager = { personId: the.person.id, projectId: the.project.id };
  const guest = { email: "guest@example.org", role: "viewer", locale: "en" } as const;
  const credentials = new Map([
    ["code", granted.code],
    ["access token", held.access],
    ["refresh token", held.refresh],
    ["superseded refresh token", former.refresh],
    ["API key", (await the.key()).text],
    ["session", session],
    ["client_id", app.clientId],
    ["set-up link", link],
    ["form token", form.hidden.token ?? ""],
    [
      "reset link",
      lastOf(await offerReset(the.service, the.service.db, { personId: the.person.id, pause: 0 })),
    ],
    ["invitation", lastOf((await perform(the.service, inviteMember, manager, guest)).link)],
    ["project id", the.project.id],
  ]);
  for (const [kind, text] of [...credentials]) {
    credentials.set(`${kind} of another random`, likeness(text));
    credentials.set(`${kind} cut short`, text.slice(0, -1));
    credentials.set(`${kind} in capitals`, text.toUpperCase());
  }
  return { app, browser, granted, credentials };
}

/** Returns the part of a link after its last slash. */
const lastOf = (link = ""): string => link.slice(link.lastIndexOf("/") + 1);

/** Returns a credential of the same form with another random part and, if it has one, a valid checksum. */
function likeness(text: string): string {
  const other = text.replace(/[0-9a-f]{64}/, () => randomBytes(32).toString("hex"));
  if (other === text) return text.replace(/.{4}$/, "0000");
  const body = other.slice(0, other.lastIndexOf("_"));
  return /_[0-9a-f]{6}$/.test(other) ? `${body}_${checksumOf(body)}` : other;
}
