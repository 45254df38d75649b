import { MemberList } from "../nouns/member.ts";
import { endpoint, json } from "./shared/endpoint.ts";

export const listMembers = endpoint({
  id: "members.list",
  method: "GET",
  url: "/api/v1/members",
  tag: "members",
  summary: "List members",
  description: "The project's members by name, all on one page. Members can own leads.",
  refusals: "v1",
  needs: "leads:read",
  answers: { 200: json(MemberList, "The members.") },
});
