import assert from "node:assert/strict";
import { randomFrom } from "../../api/support/random-filter.ts";
import type { KeyActor } from "../../world.ts";

/** The calls of a history, which a failure tells, and its random choices. */
export class ToldCalls {
  readonly random: () => number;
  readonly #keys: readonly KeyActor[];
  readonly #told: string[];

  constructor(title: string, keys: readonly KeyActor[], seed: number) {
    this.random = randomFrom(seed);
    this.#keys = keys;
    this.#told = [`${title}, seed ${seed}`];
  }

  one = <T>(from: readonly T[]): T => from[Math.floor(this.random() * from.length)] as T;

  key = (author: number): KeyActor => this.#keys[author] as KeyActor;

  tell(what: string): void {
    this.#told.push(what);
  }

  fail(what: string): never {
    return assert.fail([...this.#told, what].join("\n"));
  }

  /** Fails unless the service has what the model has. */
  same(actual: unknown, wanted: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(wanted)];
    if (is !== should) this.fail(`the service has ${is}\nthe model has   ${should}`);
  }

  /** Makes a call; returns its status, the change that it names, and its body. */
  async call(author: number, method: string, path: string, body?: object) {
    this.tell(`${author} ${method} ${path} ${JSON.stringify(body ?? null)}`);
    const answer = await this.key(author).send(method, `/api/v1/${path}`, body);
    const text = await answer.text();
    const id = answer.headers.get("x-leadgate-change");
    const warnings = JSON.parse(answer.headers.get("x-leadgate-warning") ?? "[]");
    return { status: answer.status, id, warnings, body: text === "" ? {} : JSON.parse(text) };
  }

  /** The same; a refusal fails. */
  async send(author: number, method: string, path: string, body?: object) {
    const answer = await this.call(author, method, path, body);
    if (answer.status >= 300) this.fail(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }
}
