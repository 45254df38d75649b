import { isChallenge } from "../../../domain/grants/pkce.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { askedScopes } from "../shared/asked-scopes.ts";
import { isOurResource } from "../shared/resource.ts";
import type { AuthorizationRequest, Wish } from "./authorization-request.ts";

/** An error that goes back to the application (OAuth 2.1 4.1.2.1, RFC 8707 2). */
export interface Complaint {
  error: string;
  description: string;
}

const REQUIRED = ["response_type", "state", "code_challenge", "code_challenge_method", "scope"];
const KNOWN = [...REQUIRED, "resource"];

/** What the application wishes, or what is wrong with how it asks. */
export function wishOf(service: Service, { parameters }: AuthorizationRequest): Wish | Complaint {
  const repeated = KNOWN.find((name) => (parameters.get(name)?.length ?? 0) > 1);
  if (repeated !== undefined) return invalid(`The parameter ${repeated} is repeated.`);
  const get = (name: string): string => parameters.get(name)?.[0] ?? "";
  const missing = REQUIRED.find((name) => get(name) === "");
  if (missing !== undefined) return invalid(`The parameter ${missing} is missing.`);
  if (get("response_type") !== "code") {
    return { error: "unsupported_response_type", description: "The only response type is code." };
  }
  if (get("code_challenge_method") !== "S256") return invalid("The only code_challenge_method is S256.");
  const challenge = get("code_challenge");
  if (!isChallenge(challenge)) return invalid("The code_challenge is not 43 characters of base64url.");
  const scopes = askedScopes(get("scope"));
  if (scopes.length === 0)
    return { error: "invalid_scope", description: "None of these scopes exists here." };
  const resource = get("resource");
  if (resource !== "" && !isOurResource(service, resource)) {
    return { error: "invalid_target", description: "The resource is not one of this server." };
  }
  return { scopes, challenge };
}

const invalid = (description: string): Complaint => ({ error: "invalid_request", description });
