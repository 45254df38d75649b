import { type Static, Type } from "typebox";
import { closed, orNull, time } from "./basics/basics.ts";
import { endpoint, file, json, type Tag } from "./basics/endpoint.ts";

const tag: Tag = {
  name: "people",
  description: "Erase a person, or export everything that is held about one.",
};

const identities = {
  email: Type.Optional(
    Type.String({ maxLength: 254, description: "Any of a lead's addresses, ignoring case." }),
  ),
  phone: Type.Optional(
    Type.String({
      maxLength: 60,
      description: "Any of a lead's numbers, with the country code or as the project's country writes it.",
    }),
  ),
};

export const PersonExport = Type.Object(identities, {
  $id: "PersonExport",
  ...closed,
  description: "The person: by e-mail, by phone, or everybody with either of the two.",
});
export type PersonExport = Static<typeof PersonExport>;

export const PersonErasure = Type.Object(
  {
    ...identities,
    expected_leads: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "How many leads are erased, deleted and merged ones included: 409 if it is another number. Required unless dry_run.",
      }),
    ),
    suppress: Type.Optional(
      Type.Boolean({
        description:
          "Whether the person must not be contacted again: the project keeps keyed hashes of the addresses, by which a lead that is imported or created " +
          "again gets do_not_contact. Those of a lead that opted out are kept in any case.",
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: "Does everything, returns the result, and rolls it back." }),
    ),
  },
  { $id: "PersonErasure", ...closed, description: "The person, and how many leads they are expected to be." },
);
export type PersonErasure = Static<typeof PersonErasure>;

const Certificate = Type.Object(
  { id: Type.String({ description: "Of the entry in the audit log." }), erased_at: time },
  { $id: "ErasureCertificate", description: "That a person was erased, and when." },
);

/** What an erasure removed. */
export const ErasedPerson = Type.Object(
  {
    certificate: orNull(Type.String(), {
      description: "The id of the certificate in the audit log; null after a dry run.",
    }),
    dry_run: Type.Boolean(),
    erased: Type.Object({
      leads: Type.Integer({ description: "Deleted and merged ones included." }),
      events: Type.Integer({ description: "On their timelines." }),
      merges: Type.Integer(),
      dataset_rows: Type.Integer({ description: "Linked to the person, in personal datasets." }),
      imports: Type.Integer({ description: "Whose file, failed rows and samples were removed." }),
      exports: Type.Integer({
        description: "Finished files of the project, which may have contained the person.",
      }),
      queries: Type.Integer({
        description: "Saved views, finished jobs and proposals in which the identity was replaced.",
      }),
      history: Type.Integer({
        description: "Changes of other leads from which the address or number was removed.",
      }),
    }),
    earlier: Type.Array(Certificate, {
      description: "Certificates of earlier erasures of this address or number, oldest first.",
    }),
  },
  {
    $id: "ErasedPerson",
    description: "What was removed, by kind. Zeros say that nothing was held.",
    examples: [
      {
        certificate: "cert_01kagx3m5w8q2r7t9v4c6d1f0h",
        dry_run: false,
        erased: {
          ...{ leads: 2, events: 31, merges: 1, dataset_rows: 4 },
          ...{ imports: 1, exports: 0, queries: 0, history: 0 },
        },
        earlier: [],
      },
    ],
  },
);
export type ErasedPerson = Static<typeof ErasedPerson>;

const usual = { tag, refusals: "v1", method: "POST" } as const;

export const erasePerson = endpoint({
  ...usual,
  id: "people.erase",
  url: "/api/v1/people/erase",
  summary: "Erase a person",
  description:
    "Permanently removes every lead with this e-mail address or phone number, deleted and merged ones too, and everything else " +
    "that the project holds of the person; the feed gets lead.erased with each id. 409 if the number of leads is not " +
    "expected_leads, or while an import that may contain the person is at work. The certificate in the audit log recognizes the identity " +
    "later without containing it; it is also written if nothing was held. dry_run needs leads:read, too.",
  needs: "leads:erase",
  body: PersonErasure,
  examples: {
    dryRun: { email: "ana@example.org", dry_run: true },
    email: { email: "ana@example.org", phone: "+55 11 5550-0100", expected_leads: 2, suppress: true },
  },
  answers: { 200: json(ErasedPerson, "What was removed.") },
  refused: [409],
});

export const exportPerson = endpoint({
  ...usual,
  id: "people.export",
  url: "/api/v1/people/export",
  summary: "Export a person",
  description:
    "Everything that the project holds of a person as a ZIP of JSON files: leads, deleted and merged ones too, their events, " +
    "merges, rows of import files, queries that name the person, what the history of other leads tells of the address or " +
    "number that was asked for and, with datasets:read, rows of personal datasets with what imports changed of them. " +
    "The audit log records it.",
  needs: "leads:read",
  body: PersonExport,
  examples: { email: { email: "ana@example.org" }, phone: { phone: "+55 11 5550-0100" } },
  answers: { 200: file(["application/zip"], "The archive.") },
});
