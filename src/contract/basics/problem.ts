import { type Static, Type } from "typebox";

/** One fault in an input. */
export const Fault = Type.Object(
  {
    path: Type.String({ description: "Where it is: a JSON path such as $.filter.and[0].op, or a header." }),
    code: Type.String({ description: "Stable, for programs." }),
    message: Type.String({ description: "For people." }),
  },
  { $id: "Fault" },
);
export type Fault = Static<typeof Fault>;

/** How every endpoint under /api/v1 reports a refusal. */
export const Problem = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: "Stable, for programs." }),
      message: Type.String({ description: "For people." }),
      details: Type.Array(Fault),
    }),
    request_id: Type.String({ description: "Quote it to support; also in X-Request-Id." }),
  },
  {
    $id: "Problem",
    description: "Why a call was refused. Decide by the status and the code, not by the message.",
    examples: [
      {
        error: {
          code: "unknown_field",
          message: '$.filter.field: "colour" is not a field of this project\'s leads',
          details: [
            {
              path: "$.filter.field",
              code: "unknown_field",
              message: '"colour" is not a field of this project\'s leads',
            },
          ],
        },
        request_id: "req_019a2b3c4d5e7f8a9b0c1d2e3f405162",
      },
    ],
  },
);
export type Problem = Static<typeof Problem>;

/** How the endpoints without a version report a refusal. */
export const SimpleProblem = Type.Object(
  {
    detail: Type.String({ description: "For people." }),
    code: Type.String({ description: "Stable, for programs." }),
  },
  {
    $id: "SimpleProblem",
    description: "Why a call was refused. Decide by the status and the code, not by the detail.",
    examples: [{ detail: "No such lead in this project.", code: "not_found" }],
  },
);
export type SimpleProblem = Static<typeof SimpleProblem>;

/** How the endpoints of OAuth report a refusal (RFC 6749 5.2). */
export const OAuthError = Type.Object(
  { error: Type.String(), error_description: Type.Optional(Type.String()) },
  {
    $id: "OAuthError",
    description: "RFC 6749, section 5.2.",
    examples: [{ error: "invalid_grant", error_description: "The code was already used." }],
  },
);
