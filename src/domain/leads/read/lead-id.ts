import { Type } from "typebox";

export const LeadId = Type.String({ description: "The lead's id, such as lead_01k3…" });

export const Version = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "The version that the caller knows." }),
);
