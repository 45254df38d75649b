import { type Static, Type } from "typebox";
import { closed } from "./basics/basics.ts";
import { endpoint, json, type Tag } from "./basics/endpoint.ts";

const tag: Tag = {
  name: "suppressions",
  description: "Whom the project must not contact again, also when the lead is gone.",
};

const address = Type.String({
  minLength: 1,
  maxLength: 254,
  description:
    "An e-mail address, or a phone number with the country code or as the project's country writes it.",
});

/** Addresses to suppress. */
export const SuppressionList = Type.Object(
  { addresses: Type.Array(address, { minItems: 1, maxItems: 500 }) },
  {
    ...closed,
    $id: "SuppressionList",
    description: "E-mail addresses and phone numbers that must not be contacted again.",
  },
);

const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: "Why, for the audit log, without the person's data: She asked us to write again.",
});

/** An address that may be contacted again. */
export const SuppressionRemoval = Type.Object(
  { address, reason },
  {
    ...closed,
    $id: "SuppressionRemoval",
    description: "An address that is no longer suppressed, and why.",
  },
);

const Suppressions = Type.Object(
  {
    count: Type.Integer({ description: "How many addresses are suppressed." }),
    complete: Type.Boolean({
      description: "False while the opt-outs of leads are collected after an upgrade or a restore.",
    }),
  },
  {
    $id: "Suppressions",
    description:
      "How many addresses are suppressed. They are kept as keyed hashes, so that they cannot be listed.",
    examples: [{ count: 1_204, complete: true }],
  },
);
export type Suppressions = Static<typeof Suppressions>;

const AddedSuppressions = Type.Object(
  {
    added: Type.Integer({
      description: "Addresses that were not suppressed before, those of the leads below too.",
    }),
    leads: Type.Integer({ description: "Leads with one of the addresses that opted out by this call." }),
  },
  { $id: "AddedSuppressions", description: "What the call did.", examples: [{ added: 2, leads: 1 }] },
);
export type AddedSuppressions = Static<typeof AddedSuppressions>;

const RemovedSuppression = Type.Object(
  {
    leads: Type.Integer({
      description:
        "Leads with the address that still have do_not_contact: a change of each of them clears it.",
    }),
  },
  { $id: "RemovedSuppression", description: "What is left.", examples: [{ leads: 0 }] },
);
export type RemovedSuppression = Static<typeof RemovedSuppression>;

const usual = { tag, refusals: "v1" } as const;

export const countSuppressions = endpoint({
  ...usual,
  id: "suppressions.count",
  method: "GET",
  url: "/api/v1/suppressions",
  summary: "Count suppressed addresses",
  description:
    "The addresses of leads with do_not_contact, of leads that had it when they were deleted or erased, and those that were added. " +
    "A lead that is created, imported or changed with one of them gets do_not_contact.",
  needs: "leads:read",
  answers: { 200: json(Suppressions, "How many there are.") },
});

export const addSuppressions = endpoint({
  ...usual,
  id: "suppressions.add",
  method: "POST",
  url: "/api/v1/suppressions",
  summary: "Suppress addresses",
  description:
    "Up to 500 addresses, such as an unsubscribe list of another program. Leads that have one get do_not_contact. 422 with the path of each that is no " +
    "address; then nothing is added.",
  needs: "leads:write",
  body: SuppressionList,
  examples: { list: { addresses: ["ana@example.org", "+55 11 5550-0100"] } },
  answers: { 200: json(AddedSuppressions, "What was added.", ["X-Leadgate-Change"]) },
  refused: [422],
});

export const removeSuppression = endpoint({
  ...usual,
  id: "suppressions.remove",
  method: "POST",
  url: "/api/v1/suppressions/remove",
  summary: "Remove a suppressed address",
  description:
    "From then on, the address says nothing about a lead. Leads that have it keep do_not_contact. 404 if it is not suppressed. The audit log keeps the reason.",
  needs: "leads:write",
  body: SuppressionRemoval,
  examples: { one: { address: "ana@example.org", reason: "She asked us to write again." } },
  answers: { 200: json(RemovedSuppression, "It was removed.") },
  refused: [404, 422],
});
