import { Type } from "typebox";

export const url = Type.String({ format: "uri" });

export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;
export const grantTypes = Type.Array(Type.Enum(GRANT_TYPES));

/** The host of examples. */
export const HOST = "https://app.leadgate.example";
/** The client_id of examples. */
export const APPLICATION = "app_01kagx3m5w8q2r7t9v4c6d1f0h";
