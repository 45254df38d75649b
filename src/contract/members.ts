import { type Static, Type } from "typebox";
import { ROLES } from "../core/permission.ts";
import { noCursor } from "./basics/basics.ts";
import { endpoint, json, type Tag } from "./basics/endpoint.ts";

const tag: Tag = { name: "members", description: "The people of the project." };

/** A person of the project. */
export const Member = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    role: Type.Enum(ROLES, { $id: "Role", description: "What the person may do in the project." }),
  },
  {
    $id: "Member",
    description: "A person of the project, whom a lead's owner_id can name.",
    examples: [{ id: "per_019a2b3c4d5e7f8a9b0c1d2e3f405162", name: "Ada Moreira", role: "owner" }],
  },
);
export type Member = Static<typeof Member>;

const MemberList = Type.Object({ members: Type.Array(Member), next_cursor: noCursor }, { $id: "MemberList" });

export const listMembers = endpoint({
  id: "members.list",
  method: "GET",
  url: "/api/v1/members",
  tag,
  summary: "List members",
  description: "The project's members by name, all on one page. Members can own leads.",
  refusals: "v1",
  needs: "leads:read",
  answers: { 200: json(MemberList, "The members.") },
});
