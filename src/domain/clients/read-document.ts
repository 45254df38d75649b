import type { ClientMetadata } from "../../contract/oauth/client.ts";
import { Refusal } from "../../core/refusal.ts";
import { readClientMetadata } from "./client-metadata.ts";
import { documentFault } from "./fetch-document.ts";

/**
 * The metadata in a document (draft-ietf-oauth-client-id-metadata-document 4). It must name its own URL byte for
 * byte, has no secret, and otherwise may contain what a registration may. The redirect URIs that it had `earlier` stay
 * allowed.
 */
export function readDocument(address: string, text: string, earlier: readonly string[] = []): ClientMetadata {
  const document = objectIn(text);
  if (document.client_id !== address) {
    throw documentFault(
      "document_foreign",
      "The application's metadata document has a client_id that differs from its own URL.",
    );
  }
  const { token_endpoint_auth_method: method = "none" } = document;
  const secrets = ["client_secret", "client_secret_expires_at"];
  if (method !== "none" || secrets.some((member) => Object.hasOwn(document, member))) {
    throw documentFault(
      "document_secret",
      "The application's metadata document asks for a client secret; token_endpoint_auth_method must be none.",
    );
  }
  try {
    return readClientMetadata(document, earlier);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw documentFault(
      "document_metadata",
      `The application's metadata document is invalid: ${error.message}`,
    );
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === "object" && document !== null && !Array.isArray(document)) return { ...document };
  } catch {
    // falls through to the refusal
  }
  throw documentFault("document_not_json", "The application's metadata document is not a JSON object.");
}
