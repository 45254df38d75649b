import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";

/** Makes a person an owner of the instance, or ends that. Only the operator may do this. */
export async function setInstanceOwner(service: Service, personId: string, owns: boolean): Promise<void> {
  await service.db.transaction(async (tx) => {
    const changed = await tx.query(
      "UPDATE person SET owns_instance = $2 WHERE id = $1 AND owns_instance <> $2 RETURNING id",
      [personId, owns],
    );
    if (changed.length > 0)
      await record(service, tx, { action: "person.instance_owner", personId, data: { owner: owns } });
  });
}
