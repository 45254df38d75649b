import { manages, type Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";

/** Refuses whoever may not give or take these roles: admins manage everybody but owners. */
export function mayManage(acting: Role | undefined, ...touched: Array<Role | undefined>): void {
  if (acting === undefined || !manages(acting)) {
    throw new Refusal("forbidden", "role", "Your role in this project does not allow it. Ask an owner.");
  }
  if (acting !== "owner" && touched.includes("owner")) {
    throw new Refusal("forbidden", "owner_only", "Only an owner can make, change or remove an owner.");
  }
}
