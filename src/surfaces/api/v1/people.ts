import * as people from "../../../contract/people.ts";
import { erasePerson } from "../../../domain/erasure/erase-person.ts";
import { exportPerson } from "../../../domain/erasure/export-person.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf } from "../shared/input.ts";

const erase = operationRoute({
  endpoint: people.erasePerson,
  caller: apiKey,
  input: bodyOf,
  long: true,
  operation: erasePerson,
});

const archive = operationRoute({
  endpoint: people.exportPerson,
  caller: apiKey,
  input: bodyOf,
  long: true,
  operation: exportPerson,
  reply: ({ id, stream }) => ({
    status: 200,
    body: stream,
    type: "application/zip",
    headers: {
      "Content-Disposition": `attachment; filename="person-${id}.zip"`,
      "Cache-Control": "no-store",
    },
  }),
});

/** Operations over a person: everything of all leads with an e-mail address or phone number. */
export const peopleRoutes: readonly Route[] = [erase, archive];
