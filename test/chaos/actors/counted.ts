import { setTimeout as sleep } from "node:timers/promises";
import type { Act } from "./actor.ts";

/** Calls as fast as answers come, with a key whose calls a small limit counts. */
export const counted: Act = async (actor) => {
  while (!actor.isOver) {
    const call = await actor.ask({
      ...{ op: "counted.read", method: "GET", path: "/api/v1/datasets" },
      headers: { Authorization: `Bearer ${actor.scene.cast.countedKey}` },
      keep: () => null,
    });
    await sleep(call.status === 200 ? actor.chance.between(0, 10) : actor.chance.between(5, 120));
  }
};
