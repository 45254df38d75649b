import { type Static, Type } from "typebox";
import { PERMISSIONS } from "../core/permission.ts";
import { Actor } from "./basics/actor.ts";
import { orNull } from "./basics/basics.ts";
import { endpoint, json, type Tag } from "./basics/endpoint.ts";
import { Member } from "./members.ts";
import { RateLimitOrNull } from "./usage.ts";

const tag: Tag = { name: "self", description: "The credential that calls." };

const { type: kind } = Actor.properties;

const Self = Type.Object(
  {
    id: Type.String({ description: "As actor.id of the events and changes that it makes." }),
    kind,
    name: Type.String({ description: "As actor.label." }),
    project: Type.Object({ id: Type.String(), name: Type.String() }),
    permissions: Type.Array(Type.Enum(PERMISSIONS, { $id: "Permission" }), {
      description: "What it may do now.",
    }),
    limits: Type.Object(
      {
        calls: RateLimitOrNull,
        dataset_reads: RateLimitOrNull,
        dataset_writes: RateLimitOrNull,
        dataset_imports: RateLimitOrNull,
      },
      { description: "Its rate limits. A call of a dataset counts against the limit of datasets only." },
    ),
    person: orNull(Member, { description: "Who signed in; null for a key." }),
  },
  {
    $id: "Self",
    description: "The credential that calls.",
    examples: [
      {
        id: "key_019a2b3c4d5e7f8a9b0c1d2e3f405162",
        kind: "key",
        name: "Sync",
        project: { id: "prj_019a2b3c4d5e7f8a9b0c1d2e3f405162", name: "Harbour Sales" },
        permissions: ["leads:read", "leads:write"],
        limits: {
          calls: { turns: 6_000, seconds: 60, burst: 1_000 },
          dataset_reads: { turns: 3_000, seconds: 60, burst: 300 },
          dataset_writes: { turns: 600, seconds: 60, burst: 100 },
          dataset_imports: { turns: 10, seconds: 3_600, burst: 2 },
        },
        person: null,
      },
    ],
  },
);
export type Self = Static<typeof Self>;

export const getSelf = endpoint({
  id: "self.get",
  method: "GET",
  url: "/api/v1/self",
  tag,
  summary: "Read who is calling",
  description:
    "The id, project, permissions and rate limits of the credential. It needs no particular permission. A reader of the feed " +
    "recognizes its own events by the id.",
  refusals: "v1",
  needs: [],
  answers: { 200: json(Self, "The credential.") },
});
