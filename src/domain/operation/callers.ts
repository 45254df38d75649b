import type { Database, ProjectDb } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Credential } from "../tenancy/credential.ts";
import { managerDoor, ownerDoor } from "../tenancy/person-door.ts";
import { livingTokenDoor } from "../tenancy/token-door.ts";
import type { Operation } from "./operation.ts";
import type { Service } from "./service/service.ts";

/** A person signed in on this browser. */
export interface SignedIn {
  person: { id: string; email: string; name: string };
  /** The token of the session that the browser sent. */
  session: string;
  /** The mark that this browser got at earlier sign-ins. */
  device?: string | undefined;
}

/** A browser that has not shown who uses it: its visit, its mark from earlier sign-ins, and the session it came with. */
export interface Anonymous {
  visit: string;
  device: string | undefined;
  former: string | undefined;
}

/** An application at the OAuth endpoints, by the client_id it sent. It is a public client: nothing proves the id. */
export interface Application {
  clientId?: string | undefined;
}

/** An access token at the MCP server. */
export type TokenCaller = Extract<Credential, { kind: "token" }>;

/** A person in one of their projects. */
export interface InProject {
  personId: string;
  projectId: string;
}

/** The same, or the operator at the command line (`personId` null). */
export interface InProjectOrOperator {
  personId: string | null;
  projectId: string;
}

/** What an operation works with; `db` reaches as far as this kind of caller does. */
export interface Context<Caller, Db> {
  service: Service;
  db: Db;
  caller: Caller;
}

/** An operation of a kind of caller that needs no permission in a project. */
interface CallerOperation<Caller, Db, Input, Output> extends Operation<Caller, Input, Output> {
  run(context: Context<Caller, Db>, input: Input): Promise<Output>;
}

const operationsOf =
  <Caller, Db>(dbOf: (service: Service, caller: Caller) => Db) =>
  <Input, Output>(definition: {
    name: string;
    run(context: Context<Caller, Db>, input: Input): Promise<Output>;
  }): CallerOperation<Caller, Db, Input, Output> => ({
    ...definition,
    enter: (service, caller, input) => definition.run({ service, db: dbOf(service, caller), caller }, input),
  });

/** Not behind a door: what the statements name, such as the caller's own id, decides what they reach. */
const anywhere = ({ db }: Service): Database => db;

/** Something a signed-in person does with what is their own. */
export const personOperation = operationsOf<SignedIn, Database>(anywhere);

/** Something anybody may do; what lets them in, such as a password or a link, is part of the input. */
export const anonymousOperation = operationsOf<Anonymous, Database>(anywhere);

/** Something an application does; what lets it in, such as a code or a token, is part of the input. */
export const applicationOperation = operationsOf<Application, Database>(anywhere);

/** Something any valid access token may do, whatever its scopes; `db` stands behind the token's door. */
export const tokenOperation = operationsOf<TokenCaller, ProjectDb>(({ db }, caller) =>
  db.behind(livingTokenDoor(caller)),
);

/** Something only those who manage a project may do; `db` stands behind their door. */
export const managerOperation = operationsOf<InProject, ProjectDb>(({ db }, { personId, projectId }) =>
  db.behind(managerDoor({ personId, projectId })),
);

/** The same where the command line may do it too. */
export const managerOrOperatorOperation = operationsOf<InProjectOrOperator, ProjectDb>(
  ({ db }, { personId, projectId }) =>
    db.behind(personId === null ? serviceDoor(projectId) : managerDoor({ personId, projectId })),
);

/** Something only a project's owners may do; `db` stands behind their door. */
export const ownerOperation = operationsOf<InProject, ProjectDb>(({ db }, { personId, projectId }) =>
  db.behind(ownerDoor({ personId, projectId })),
);
