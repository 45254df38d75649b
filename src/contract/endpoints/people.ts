import { ErasedPerson, PersonErasure, PersonExport } from "../nouns/person.ts";
import { endpoint, file, json } from "./shared/endpoint.ts";

const usual = { tag: "people", refusals: "v1", method: "POST" } as const;

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
    email: { email: "ana@example.org", phone: "+55 11 5550-0100", expected_leads: 2 },
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
