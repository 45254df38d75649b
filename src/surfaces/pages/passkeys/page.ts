import { type Static, Type } from "typebox";
import { addPasskey, beginPasskey } from "../../../domain/accounts/add-passkey.ts";
import { proveSelf } from "../../../domain/accounts/prove-self.ts";
import { listPasskeys, removePasskey } from "../../../domain/accounts/sign-in/passkey.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import { seeOther } from "../../../http/response/html.ts";
import { statusOf } from "../../../http/response/status.ts";
import type { Route } from "../../../http/route/route.ts";
import { answering, Base64Url, jsonOf, optional } from "../shared/passkey-json.ts";
import { fieldOf, formOfVisitor, visitorOf, visitorWith } from "../shared/signed-in.ts";
import { passkeysPage } from "./parts.ts";

const ADDRESS = "/account/passkeys";

const OptionsRequest = Type.Object({ form_token: Type.String(), proof: Type.String({ maxLength: 1_000 }) });

/**
 * The result of `credential.toJSON()` after `navigator.credentials.create` (WebAuthn 5.1); other members are
 * ignored.
 */
const Made = Type.Object({
  form_token: Type.String(),
  name: Type.String({ maxLength: 1_000 }),
  answer: Type.Object({
    id: Base64Url,
    rawId: Base64Url,
    type: Type.Literal("public-key"),
    response: Type.Object({
      clientDataJSON: Base64Url,
      attestationObject: Base64Url,
      transports: optional(Type.Array(Type.String({ pattern: "^[a-z-]{1,20}$" }), { maxItems: 10 })),
    }),
  }),
});

const readOptionsRequest = jsonOf<Static<typeof OptionsRequest>>(OptionsRequest);
const readMade = jsonOf<Static<typeof Made>>(Made);

/** A person's passkeys: list, add, remove. Adding requires the password before the challenge is issued. */
export const passkeyRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      return passkeysPage(visitor, await perform(service, listPasskeys, visitor, {}));
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      try {
        const proof = fieldOf(visitor.form, "proof");
        await perform(service, proveSelf, visitor, { proof });
        await perform(service, removePasskey, visitor, { id: fieldOf(visitor.form, "id") });
        return seeOther(ADDRESS);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal.code === "internal") throw error;
        return passkeysPage(
          visitor,
          await perform(service, listPasskeys, visitor, {}),
          refusal,
          statusOf(refusal),
        );
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/options`,
    handle: answering(async (service, request) => {
      const { form_token, proof } = readOptionsRequest(request);
      const visitor = await visitorWith(service, request, form_token);
      await perform(service, proveSelf, visitor, { proof });
      return { status: 200, body: await perform(service, beginPasskey, visitor, {}) };
    }),
  },
  {
    method: "POST",
    url: `${ADDRESS}/add`,
    handle: answering(async (service, request) => {
      const { form_token, name, answer: made } = readMade(request);
      const visitor = await visitorWith(service, request, form_token);
      const { transports, ...response } = made.response;
      const answer = {
        id: made.id,
        rawId: made.rawId,
        type: made.type,
        clientExtensionResults: {},
        response: { ...response, ...(transports == null ? {} : { transports }) },
      };
      await perform(service, addPasskey, visitor, { name, answer });
      return { status: 200, body: { to: ADDRESS } };
    }),
  },
];
