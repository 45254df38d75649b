import { Type } from "typebox";
import { ResponseTimesQuery } from "../../../../contract/nouns/aggregation.ts";
import { responseTimes } from "../../../../domain/leads/figures/response-times.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { orNull, refusals } from "../../shared/described.ts";
import { bodyOf } from "../../shared/input.ts";

const Seconds = orNull(Type.Number());

/** `POST /api/v1/leads/response-times`: how long leads waited for their first response, by group. */
export const responseTimesRoute = operationRoute({
  method: "POST",
  url: "/api/v1/leads/response-times",
  describe: {
    summary: "Response times of leads",
    description:
      "How long leads waited for their first response, by group: from their creation to the first event of the types " +
      "at or after it. Leads without a response count in leads, but not in answered.",
    tags: ["leads"],
    bearer: true,
    body: ResponseTimesQuery,
    answers: {
      200: Type.Object({
        groups: Type.Array(
          Type.Object({
            key: Type.Object({}, { additionalProperties: true }),
            leads: Type.Integer(),
            answered: Type.Integer(),
            median_seconds: Seconds,
            p90_seconds: Seconds,
            within: Type.Array(Type.Object({ seconds: Type.Integer(), leads: Type.Integer() })),
          }),
        ),
        total_groups: Type.Integer({ description: "The total number of groups." }),
      }),
      ...refusals(413, 415),
    },
  },
  caller: apiKey,
  input: bodyOf,
  operation: responseTimes,
  reply: ({ json, totalGroups }) => ok(`{"groups":${json},"total_groups":${totalGroups}}`),
});
