import type { FastifyRequest } from "fastify";
import { changePassword } from "../../../domain/accounts/change-password.ts";
import { changeProfile } from "../../../domain/accounts/people/change-profile.ts";
import { setSingleKeys } from "../../../domain/accounts/people/single-keys.ts";
import { mailProof } from "../../../domain/accounts/request-reset.ts";
import { endSessions } from "../../../domain/accounts/sessions/end-sessions.ts";
import { listSessions } from "../../../domain/accounts/sessions/list-sessions.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { html, seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { noSessionCookie, sessionCookie } from "../../../http/session/session.ts";
import { framed } from "../shared/frame.ts";
import { doneLine, type Refused, refusedForm } from "../shared/parts.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";
import {
  endSection,
  passwordSection,
  profileSection,
  proofSection,
  securityLinks,
  sessionSection,
  shortcutSection,
} from "./parts.ts";
import { ACCOUNT_WORDS } from "./words.ts";

const ADDRESS = "/account";

/** Which form was refused. */
type Again = Refused & { form: "profile" | "password" | "proof" };

/** A person's account: name, language, password, and the browsers in which they are signed in. */
export const accountRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    handle: async (service, request) => await show(service, request, await visitorOf(service, request)),
  },
  {
    method: "POST",
    url: `${ADDRESS}/profile`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const [name, locale] = [fieldOf(visitor.form, "name"), fieldOf(visitor.form, "locale")];
      try {
        await perform(service, changeProfile, visitor, { name, locale });
      } catch (error) {
        return await show(service, request, visitor, {
          ...refusedForm(visitor.locale, error),
          form: "profile",
        });
      }
      return seeOther(`${ADDRESS}?done=profile`);
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/shortcuts`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      await perform(service, setSingleKeys, visitor, { on: fieldOf(visitor.form, "single_keys") === "on" });
      return seeOther(`${ADDRESS}?done=shortcuts`);
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/password`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const [present, fresh] = [fieldOf(visitor.form, "present"), fieldOf(visitor.form, "fresh")];
      try {
        const { session } = await perform(service, changePassword, visitor, { present, fresh });
        return seeOther(`${ADDRESS}?done=password`, { "Set-Cookie": sessionCookie(service, session) });
      } catch (error) {
        return await show(service, request, visitor, {
          ...refusedForm(visitor.locale, error),
          form: "password",
        });
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/proof`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      try {
        await perform(service, mailProof, visitor, { locale: visitor.locale });
      } catch (error) {
        return await show(service, request, visitor, {
          ...refusedForm(visitor.locale, error),
          form: "proof",
        });
      }
      return seeOther(`${ADDRESS}?done=proof`);
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/sessions`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const which = fieldOf(visitor.form, "which");
      if (which === "all") {
        await perform(service, endSessions, visitor, { which });
        return seeOther("/sign-in", { "Set-Cookie": noSessionCookie(service) });
      }
      const others = which === "others";
      const id = fieldOf(visitor.form, "session_id");
      await perform(service, endSessions, visitor, { which: others ? which : { id } });
      return seeOther(`${ADDRESS}?done=${others ? "others" : "session"}`);
    },
  },
];

const DONE = {
  shortcuts: "doneShortcuts",
  proof: "doneProof",
  profile: "doneProfile",
  email: "doneEmail",
  password: "donePassword",
  session: "doneSession",
  others: "doneOthers",
} as const;

async function show(
  service: Service,
  request: FastifyRequest,
  visitor: Visitor,
  again?: Again,
): Promise<Reply> {
  const words = ACCOUNT_WORDS[visitor.locale];
  const sessions = await perform(service, listSessions, visitor, {});
  const { done } = request.query as { done?: unknown };
  const word = Object.entries(DONE).find(([name]) => name === done && again === undefined)?.[1];
  const refusedIn = (form: Again["form"]) => (again?.form === form ? again : undefined);
  const body = html`<h1>${words.title}</h1>
${doneLine(word === undefined ? undefined : words[word])}
${proofSection(visitor, { mails: service.mailer !== undefined, problem: refusedIn("proof")?.problem })}
${profileSection(visitor, refusedIn("profile")?.problem)}
${shortcutSection(visitor)}
${securityLinks(visitor)}
${passwordSection(visitor, refusedIn("password"))}
${sessionSection(visitor, sessions)}
${endSection(visitor)}`;
  return framed(visitor, words.title, body, again?.status, again?.headers);
}
