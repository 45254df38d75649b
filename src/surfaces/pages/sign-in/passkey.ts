import { type Static, Type } from "typebox";
import { beginPasskeySignIn, passkeySignIn } from "../../../domain/accounts/sign-in/passkey-sign-in.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { signInCookies } from "../../../http/session/session.ts";
import { destinationOf } from "../../../http/session/sign-in-form.ts";
import { afterSignIn } from "../shared/after-sign-in.ts";
import { answering, Base64Url, jsonOf, optional } from "../shared/passkey-json.ts";
import { staleForm } from "../shared/signed-in.ts";

const Carried = Type.Object({ form_token: Type.String(), to: Type.String(), app: Type.String() });

/**
 * The result of `credential.toJSON()` after `navigator.credentials.get` (WebAuthn 5.1); other members are
 * ignored.
 */
const Answer = Type.Object({
  ...Carried.properties,
  answer: Type.Object({
    id: Base64Url,
    rawId: Base64Url,
    type: Type.Literal("public-key"),
    response: Type.Object({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: optional(Base64Url),
    }),
  }),
});

const readCarried = jsonOf<Static<typeof Carried>>(Carried);
const readAnswer = jsonOf<Static<typeof Answer>>(Answer);

/** Signs in with a passkey: the sign-in form's script requests a challenge and sends the answer. */
export const passkeySignInRoutes: Route[] = [
  {
    method: "POST",
    url: "/sign-in/passkey/options",
    handle: answering(async (service, request) => {
      const sent = readCarried(request);
      const { genuine } = destinationOf(service, request, (name) => fieldOf(sent, name), "sign-in");
      if (!genuine) throw staleForm();
      const options = await perform(service, beginPasskeySignIn, browserOf(service, request), {});
      return { status: 200, body: options };
    }),
  },
  {
    method: "POST",
    url: "/sign-in/passkey",
    handle: answering(async (service, request) => {
      const sent = readAnswer(request);
      const { genuine, to } = destinationOf(service, request, (name) => fieldOf(sent, name), "sign-in");
      if (!genuine) throw staleForm();
      const { id, rawId, type, response } = sent.answer;
      const { userHandle, ...signed } = response;
      const answer = {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { ...signed, ...(userHandle == null ? {} : { userHandle }) },
      };
      const entered = await perform(service, passkeySignIn, browserOf(service, request), { answer });
      return {
        status: 200,
        body: { to: afterSignIn(to) },
        headers: { "Set-Cookie": signInCookies(service, request, entered) },
      };
    }),
  },
];

const fieldOf = (sent: Static<typeof Carried>, name: string): string =>
  name === "form_token" || name === "to" || name === "app" ? sent[name] : "";
