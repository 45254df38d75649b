import { newId } from "../../../src/core/id.ts";
import { challengeOf } from "../../../src/domain/grants/pkce.ts";
import { newAccessToken, newCode, newRefreshToken } from "../../../src/domain/grants/token-text.ts";
import { SECRET_KEY } from "../../processes/service-process.ts";
import type { World } from "../../world.ts";

const REDIRECT = "https://bench.example/back";
const VERIFIER = "v".repeat(43);

/** A person with a project and an application, whose grants are inserted without a browser. */
export interface Ground {
  clientId: string;
  projectId: string;
  personId: string;
}

export async function prepareGround({ sql }: Pick<World, "sql">): Promise<Ground> {
  const ground = { clientId: newId("app"), projectId: newId("prj"), personId: newId("per") };
  const { clientId, projectId, personId } = ground;
  const metadata = {
    client_name: "Benchmark",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  await sql("INSERT INTO person (id, email, name, password_hash) VALUES ($1, $1, 'Bench', '')", [personId]);
  await sql("INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Bench', 'bench')", [projectId]);
  await sql("INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, 'owner')", [
    personId,
    projectId,
  ]);
  await sql("INSERT INTO client (id, metadata, authorized_at) VALUES ($1, $2, moment())", [
    clientId,
    JSON.stringify(metadata),
  ]);
  return ground;
}

/** Creates codes and returns the bodies of their exchanges. */
export async function prepareCodes(
  { sql }: Pick<World, "sql">,
  ground: Ground,
  count: number,
): Promise<string[]> {
  const { clientId, projectId, personId } = ground;
  const codes = Array.from({ length: count }, () => newCode(projectId));
  await sql(
    `INSERT INTO store.authorization_code
       (project_id, hash, client_id, person_id, redirect_uri, scopes, challenge, expires_at)
     SELECT $1, hash, $2, $3, $4, '{mcp:read,mcp:write}', $5, moment() + interval '10 minutes'
     FROM unnest($6::bytea[]) AS hash`,
    [projectId, clientId, personId, REDIRECT, challengeOf(VERIFIER), codes.map(({ hash }) => hash)],
  );
  const same = { grant_type: "authorization_code", client_id: clientId, redirect_uri: REDIRECT };
  return codes.map(({ text }) =>
    String(new URLSearchParams({ ...same, code: text, code_verifier: VERIFIER })),
  );
}

/** Creates authorizations, each with a refresh token and an access token. */
export async function prepareTokens(
  { sql }: Pick<World, "sql">,
  ground: Ground,
  count: number,
): Promise<{ id: string; refresh: string; access: string }[]> {
  const { clientId, projectId, personId } = ground;
  const all = Array.from({ length: count }, () => {
    const id = newId("az");
    const place = { projectId, authorizationId: id, generation: 1 };
    return { id, refresh: newRefreshToken([SECRET_KEY], place), access: newAccessToken(projectId) };
  });
  await sql(
    `WITH made AS (
       INSERT INTO store."authorization"
         (project_id, id, client_id, client_name, person_id, scopes, refresh_hash, refresh_expires_at)
       SELECT $1, id, $2, 'Benchmark', $3, '{mcp:read,mcp:write}', hash, moment() + interval '90 days'
       FROM unnest($4::text[], $5::bytea[]) AS t (id, hash)
     )
     INSERT INTO store.access_token (project_id, hash, authorization_id, scopes, expires_at)
     SELECT $1, hash, id, '{mcp:read,mcp:write}', moment() + interval '1 hour'
     FROM unnest($4::text[], $6::bytea[]) AS t (id, hash)`,
    [
      ...[projectId, clientId, personId, all.map(({ id }) => id)],
      ...[all.map(({ refresh }) => refresh.hash), all.map(({ access }) => access.hash)],
    ],
  );
  return all.map(({ id, refresh, access }) => ({ id, refresh: refresh.text, access: access.text }));
}
