import { offerReset } from "../../../src/domain/accounts/reset-link.ts";
import { startSession } from "../../../src/domain/accounts/sessions/session.ts";
import { renewRecoveryCodes } from "../../../src/domain/accounts/sign-in/recovery-code.ts";
import { createKey } from "../../../src/domain/api-keys/create-key.ts";
import { findClient } from "../../../src/domain/clients/find-client.ts";
import { exchangeCode } from "../../../src/domain/grants/exchange-code.ts";
import { issueCode } from "../../../src/domain/grants/issue-code.ts";
import { challengeOf } from "../../../src/domain/grants/pkce.ts";
import { refreshTokens } from "../../../src/domain/grants/refresh-tokens.ts";
import { perform } from "../../../src/domain/operation/operation.ts";
import type { Service } from "../../../src/domain/operation/service/service.ts";
import { inviteMember } from "../../../src/domain/projects/invitations/invite-member.ts";
import { Browser } from "../../browser.ts";
import type { World } from "../../world.ts";
import { Application, exchange, tokensOf } from "./application.ts";

type Issue = () => Promise<string[]>;

/** Issues so many secrets, `atOnce` of them concurrently. */
async function gather(count: number, issue: Issue, atOnce = 16): Promise<string[]> {
  const secrets: string[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (secrets.length < count) secrets.push(...(await issue()));
    }),
  );
  return secrets;
}

/** Runs entire flows over HTTP: a sign-in each, then code, exchange, refresh. Returns the secrets of both sides. */
export async function throughHttp(the: World, count: number): Promise<string[]> {
  const app = await Application.register(the);
  return await gather(
    count,
    async () => {
      const browser = new Browser(the.authUrl);
      await browser.signIn(the.person);
      const granted = await app.code(browser);
      const first = await tokensOf(await exchange(the, granted));
      const second = await tokensOf(await app.refresh(first.refresh));
      const tokens = [first.access, first.refresh, second.access, second.refresh];
      return [granted.code, granted.verifier, ...tokens, ...browser.cookies.values()];
    },
    2,
  );
}

/** Issues codes and tokens of an application that many people authorize and refresh. */
export async function grants(service: Service, the: World, count: number): Promise<string[]> {
  const app = await Application.register(the);
  const client = await findClient(service, app.clientId);
  if (client === undefined) throw new Error("the application is gone");
  const verifier = "v".repeat(43);
  const approval = {
    projectId: the.project.id,
    client,
    redirectUri: app.redirectUri,
    challenge: challengeOf(verifier),
    asked: ["mcp:read"] as const,
    ticked: ["mcp:read"] as const,
    writes: "write" as const,
  };
  const caller = { person: the.person, session: await startSession(service, service.db, the.person.id) };
  return await gather(count, async () => {
    const issued = await perform(service, issueCode, caller, approval);
    if (typeof issued === "string") throw new Error(issued);
    const application = { clientId: client.id };
    const shown = { code: issued.code, redirectUri: app.redirectUri, verifier };
    const first = await perform(service, exchangeCode, application, shown);
    const { refreshToken } = first;
    const second = await perform(service, refreshTokens, application, { refreshToken, scopes: undefined });
    return [issued.code, ...[first, second].flatMap((pair) => [pair.accessToken, pair.refreshToken])];
  });
}

/** Issues keys, sessions, links and recovery codes. */
export async function others(service: Service, the: World, count: number): Promise<string[]> {
  const { id: projectId } = the.project;
  const { id: personId } = the.person;
  let invited = 0;
  const manager = { personId, projectId };
  const key = { name: "one of many", permissions: ["leads:read"] };
  const keys = await gather(count * 0.75, async () => [
    (await perform(service, createKey, manager, key)).key,
  ]);
  const sessions = await gather(count * 0.7, async () => [await startSession(service, service.db, personId)]);
  const resets = await gather(
    count * 0.01,
    async () => [(await offerReset(service, service.db, { personId, pause: 0 })) ?? ""],
    1,
  );
  const invitations = await gather(
    count * 0.01,
    async () => {
      invited += 1;
      const guest = { email: `guest-${invited % 50}@example.org`, role: "viewer", locale: "en" } as const;
      const { link } = await perform(service, inviteMember, manager, guest);
      if (link === undefined) throw new Error("the link was mailed");
      return [link];
    },
    1,
  );
  const recovery = await gather(
    count * 0.03,
    async () => await service.db.transaction((tx) => renewRecoveryCodes(tx, personId)),
    1,
  );
  const links = [...resets, ...invitations].map((link) => link.slice(link.lastIndexOf("/") + 1));
  return [...keys, ...sessions, ...links, ...recovery];
}
