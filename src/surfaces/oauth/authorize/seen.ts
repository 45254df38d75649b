import { hashOf } from "../../../core/secret.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** What a person saw of the application, as one word: a document that changes behind an open page is shown again. */
export const seenOf = ({ client }: AuthorizationRequest): string =>
  hashOf(JSON.stringify(client.metadata)).toString("hex");
