import { setTimeout as sleep } from "node:timers/promises";
import type { Cast } from "../ground.ts";
import type { Call } from "../history.ts";
import type { Chance } from "../random.ts";
import type { Asking, Recorder, Target } from "../recorder.ts";

/** What actors of a round share. */
export interface Scene {
  recorder: Recorder;
  cast: Cast;
  /** The processes that serve each host. */
  api: Target[];
  web: Target[];
  isOver(): boolean;
  /** Leads that several actors change. */
  shared: string[];
}

/** One caller, which sends one request at a time and chooses by its own chance. */
export class Actor {
  readonly name: string;
  readonly scene: Scene;
  readonly chance: Chance;

  constructor(name: string, scene: Scene, chance: Chance) {
    this.name = name;
    this.scene = scene;
    this.chance = chance;
  }

  /** Sends a request to one of the processes that serve it. */
  ask(asking: Asking): Promise<Call> {
    const { recorder, api, web } = this.scene;
    return recorder.ask(this.name, this.chance.of(asking.op.startsWith("oauth.") ? web : api), asking);
  }

  /** The same with the project's key and a body of JSON. */
  call(asking: Omit<Asking, "body"> & { json?: unknown }): Promise<Call> {
    const { json, ...rest } = asking;
    const Authorization = `Bearer ${this.scene.cast.key}`;
    const type = json === undefined ? {} : { "Content-Type": "application/json" };
    return this.ask({
      ...rest,
      headers: { Authorization, ...type, ...asking.headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  }

  /** Waits for a short time, and a moment longer after a request that was not carried out. */
  async pause(after?: Call): Promise<void> {
    const isRefused = after !== undefined && (after.status === null || after.status >= 429);
    await sleep(this.chance.between(5, 30) + (isRefused ? 100 : 0));
  }

  get isOver(): boolean {
    return this.scene.isOver();
  }
}

/** What an actor does until the round is over; a number that it increases names what it makes. */
export type Act = (actor: Actor) => Promise<void>;

/** The fields of a lead that the checker looks at. */
export const leadOf = (text: string): unknown => {
  const { id, name, external_id, company, version, error } = JSON.parse(text) as Record<string, unknown>;
  return { id, name, external_id, company, version, ...(error === undefined ? {} : { error }) };
};
