import { Readable } from "node:stream";
import { PersonExport } from "../../contract/people.ts";
import { newId } from "../../core/id.ts";
import { actorOf } from "../operation/actor.ts";
import { record } from "../operation/audit/record.ts";
import { may } from "../operation/may-sql.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { certificatesOf } from "./certificate.ts";
import { countryOf, findPerson } from "./find-subject.ts";
import { heldFiles } from "./held.ts";
import { listsOf, readPerson } from "./read-person.ts";
import { type ZippedFile, zipOf } from "./zip.ts";

/** An archive in the making. */
export interface PersonArchive {
  /** A name that says nothing of the person. */
  id: string;
  stream: Readable;
}

/** Streams everything that the service holds of a person as a ZIP of JSON files, and records it in the audit log. */
export const exportPerson = memberOperation({
  name: "people.export",
  needs: "leads:read",
  exports: true,
  input: PersonExport,
  async run(context, input): Promise<PersonArchive> {
    const { service, db, caller } = context;
    const { projectId } = caller;
    const country = await countryOf(db, projectId);
    const given = await checked(context, () => readPerson(input, country));
    const found = await findPerson(db, projectId, given, "read");
    const earlier = await certificatesOf(context, db, given);
    const rows = await may(db, caller, "datasets:read");
    const actor = (await actorOf(db, caller)).id;
    const id = newId("exp");
    const data = { export_id: id, leads: found.leads.length };
    const who = actor === null ? {} : { actor };
    await record(service, service.db, { action: "person.exported", projectId, ...who, data });
    const { country: _, ...identities } = found.subject;
    const about = {
      ...{
        project_id: projectId,
        asked: input,
        exported_at: new Date().toISOString().replace("Z", "+00:00"),
      },
      leads: found.leads.length,
      identities,
      erasures: earlier,
      ...(rows ? {} : { left_out: "rows of datasets: the key has no permission datasets:read" }),
    };
    async function* files(): AsyncGenerator<ZippedFile> {
      yield { name: "person.json", text: textOf(`${JSON.stringify(about, null, 2)}\n`) };
      const asked = { ...found.subject, ...listsOf(given), externals: [], leads: [] };
      yield* heldFiles(db, projectId, found, asked, rows);
    }
    return { id, stream: Readable.from(zipOf(files()), { objectMode: false }) };
  },
});

async function* textOf(text: string): AsyncGenerator<string> {
  yield text;
}
