import type { Service } from "../service.ts";

/** Deletes applications that in 30 days nobody let in, and registration calls that no longer count. */
export async function forgetUnused(service: Service): Promise<void> {
  await service.db.query(
    "DELETE FROM client WHERE authorized_at IS NULL AND created_at < moment() - interval '30 days'",
  );
  await service.db.query("DELETE FROM registration_turn WHERE at < moment() - interval '2 hours'");
}
