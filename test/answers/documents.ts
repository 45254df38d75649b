import { apiDocument, webDocument } from "../../src/http/openapi/hosts.ts";
import { type Checker, checkerOf } from "./check.ts";
import type { Document } from "./documented.ts";

/** Returns a checker of all documented answers of the service. */
export function documented(): Checker {
  const url = "http://localhost";
  return checkerOf({
    api: apiDocument(url) as unknown as Document,
    web: webDocument(url) as unknown as Document,
  });
}
