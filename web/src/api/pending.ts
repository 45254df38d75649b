import type { TAny, TUnknown } from "typebox";
import type { ApiEndpoint } from "../../../src/contract/endpoints/api-endpoint.ts";

type Loose<M extends string, P extends string> = P extends string
  ? {
      id: string;
      method: M;
      url: `/api${P}`;
      tag: string;
      summary: string;
      refusals: "v1";
      query: TAny;
      answers: { 200: { schema: TAny; description: string } };
    }
  : never;
type Bodied<M extends string, P extends string> =
  Loose<M, P> extends infer E ? E & { body: TUnknown } : never;
export type Pending =
  | Loose<
      "GET",
      | "/v1/leads/{id}"
      | "/v1/leads/{id}/events"
      | "/v1/leads/{id}/duplicates"
      | "/v1/leads/duplicates"
      | "/v1/leads/fields"
      | "/v1/fields"
      | "/v1/statuses"
      | "/v1/views"
      | "/v1/quiet-fields"
      | "/v1/usage"
      | "/v1/exports"
      | "/v1/exports/{id}"
      | "/v1/exports/{id}/file"
      | "/v1/jobs"
      | "/v1/jobs/{id}"
      | "/v1/datasets"
      | "/v1/datasets/{id}"
      | "/v1/datasets/{id}/rows/{row}"
      | "/v1/imports"
      | "/v1/imports/{id}"
      | "/v1/imports/{id}/fields"
      | "/v1/imports/{id}/kept"
      | "/v1/imports/{id}/errors"
      | "/v1/imports/{id}/errors/kinds"
      | "/v1/imports/{id}/errors.csv"
      | "/v1/imports/{id}/successful.csv"
      | "/v1/imports/{id}/unprocessed.csv"
    >
  | Bodied<
      "POST",
      | "/v1/leads"
      | "/v1/leads/search"
      | "/v1/leads/aggregate"
      | "/v1/leads/count"
      | "/v1/leads/bulk"
      | "/v1/leads/response-times"
      | "/v1/leads/filters/validate"
      | "/v1/leads/{id}/events"
      | "/v1/leads/{id}/merge"
      | "/v1/leads/{id}/restore"
      | "/v1/merges/{id}/undo"
      | "/v1/fields"
      | "/v1/views"
      | "/v1/exports"
      | "/v1/exports/{id}/cancel"
      | "/v1/jobs/{id}/cancel"
      | "/v1/datasets"
      | "/v1/datasets/{id}/rows"
      | "/v1/datasets/{id}/rows/batch"
      | "/v1/datasets/{id}/query"
      | "/v1/imports"
      | "/v1/imports/{id}/dry-run"
      | "/v1/imports/{id}/commit"
      | "/v1/imports/{id}/cancel"
      | "/v1/imports/{id}/undo"
    >
  | Bodied<
      "PATCH",
      | "/v1/leads/{id}"
      | "/v1/fields/{key}"
      | "/v1/views/{id}"
      | "/v1/datasets/{id}"
      | "/v1/datasets/{id}/rows/{row}"
    >
  | Bodied<"PUT", "/v1/statuses" | "/v1/quiet-fields" | "/v1/imports/{id}/mapping" | "/v1/imports/{id}/file">
  | Bodied<
      "DELETE",
      | "/v1/leads/{id}"
      | "/v1/fields/{key}"
      | "/v1/views/{id}"
      | "/v1/datasets/{id}"
      | "/v1/datasets/{id}/rows"
    >;
type Missing<P> = P extends { method: infer M; url: infer U }
  ? [Extract<ApiEndpoint, { method: M; url: U }>] extends [never]
    ? P
    : never
  : never;
export type StillPending = Missing<Pending>;
