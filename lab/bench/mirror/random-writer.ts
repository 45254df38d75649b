import assert from "node:assert/strict";
import { randomFrom } from "../../../test/api/support/random-filter.ts";
import { acted, uploaded } from "../../../test/imports/support/uploading.ts";
import type { KeyActor, World } from "../../../test/world.ts";

/** Above this, no leads are created. */
const MOST_LEADS = 3_000;
const STATUSES = ["new", "contacted", "qualified", "won", "lost"];

/** What the writers of a run share: the leads, and what they did so far by kind. */
export class Ground {
  readonly the: World;
  readonly key: KeyActor;
  readonly leads: string[] = [];
  readonly merges: string[] = [];
  readonly done: Record<string, number> = {};

  constructor(the: World, key: KeyActor) {
    this.the = the;
    this.key = key;
  }

  count(kind: string, changes: number): void {
    this.done[kind] = (this.done[kind] ?? 0) + changes;
  }

  get total(): number {
    return Object.values(this.done).reduce((sum, each) => sum + each, 0);
  }
}

interface Report {
  created: number;
  updated: number;
  results?: { id: string | null; outcome: string }[];
}

/** Makes random changes of every kind through the API. Calls that the state refuses (404, 409, 412) change nothing. */
export class RandomWriter {
  readonly #ground: Ground;
  readonly #random: () => number;
  readonly #kinds: [weight: number, make: () => Promise<void>][];

  constructor(ground: Ground, seed: number) {
    this.#ground = ground;
    this.#random = randomFrom(seed);
    this.#kinds = [
      [8, () => this.#create()],
      [20, () => this.#bulk("update", () => this.#patch())],
      [8, () => this.#bulk("set", () => ({}), { set: this.#patch() })],
      [8, () => this.#bulk(this.#pick(["tag_add", "tag_remove"]), () => ({}), { tags: [this.#word()] })],
      [6, () => this.#bulk("delete", () => ({}), {}, 40)],
      [8, () => this.#bulk("restore", () => ({}))],
      [8, () => this.#upsert()],
      [8, () => this.#events()],
      [6, () => this.#byFilter()],
      [8, () => this.#one()],
      [8, () => this.#merge()],
      [4, () => this.#unmerge()],
      [3, () => this.#erase()],
      [1, () => this.#erasePerson()],
      [0.5, () => this.#import()],
      [0.3, () => this.#field()],
    ];
  }

  /** Makes one random call. */
  async write(): Promise<void> {
    let at = this.#random() * this.#kinds.reduce((sum, [weight]) => sum + weight, 0);
    const kind = this.#kinds.find(([weight]) => {
      at -= weight;
      return at < 0;
    });
    await kind?.[1]();
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T | undefined> {
    const answer = await this.#ground.key.send(method, path, body);
    const text = await answer.text();
    if ([404, 409, 410, 412].includes(answer.status)) return undefined;
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as T;
  }

  async #write(kind: string, body: object): Promise<void> {
    const report = await this.#call<Report>("POST", "/api/v1/leads/bulk", body);
    if (report === undefined) return;
    this.#ground.count(kind, report.created + report.updated);
    for (const { id, outcome } of report.results ?? [])
      if (outcome === "created" && id !== null) this.#ground.leads.push(id);
  }

  async #bulk(op: string, item: () => object, more: object = {}, size = 100): Promise<void> {
    const ids = new Set(Array.from({ length: size }, () => this.#lead()));
    await this.#write(op, { op, ...more, items: [...ids].map((id) => ({ id, ...item() })) });
  }

  async #create(): Promise<void> {
    if (this.#ground.leads.length > MOST_LEADS) return;
    const items = Array.from({ length: 60 }, () => this.#fresh());
    await this.#write("create", { op: "create", items });
  }

  async #upsert(): Promise<void> {
    const keys = new Set(Array.from({ length: 40 }, () => `crm-${this.#number(400)}`));
    const items = [...keys].map((external_id) => ({ external_id, ...this.#patch() }));
    await this.#write("upsert", { op: "upsert", items });
  }

  async #byFilter(): Promise<void> {
    const filter = { field: "score", op: "eq", value: this.#number(100) };
    const count = await this.#call<{ total: { value: number } }>("POST", "/api/v1/leads/count", { filter });
    const expected_count = (count as { count?: number } | undefined)?.count ?? count?.total?.value ?? 0;
    await this.#write("set by filter", { op: "set", set: this.#patch(), filter, expected_count });
  }

  async #events(): Promise<void> {
    const events = Array.from({ length: 30 }, () => ({
      ...{ lead_id: this.#lead(), type: this.#pick(["call.made", "email.opened", "note.added"]) },
      ...(this.#random() < 0.3 ? { occurred_at: `2026-0${1 + this.#number(8)}-01T00:00:00Z` } : {}),
    }));
    const report = await this.#call<{ created: number }>("POST", "/api/v1/events/batch", { events });
    this.#ground.count("events", report?.created ?? 0);
  }

  async #one(): Promise<void> {
    const path = `/api/v1/leads/${this.#lead()}`;
    const [method, at, body] = this.#pick([
      ["PATCH", path, this.#patch()],
      ["DELETE", path],
      ["POST", `${path}/restore`],
      ["POST", `${path}/events`, { type: "task.done" }],
    ] as const);
    if ((await this.#call(method, at, body)) !== undefined) this.#ground.count("one", 1);
  }

  async #merge(): Promise<void> {
    const body = { with: this.#lead() };
    const [one, two] = [this.#lead(), body.with];
    if (one === two) return;
    const merged = await this.#call<{ merge_id: string }>("POST", `/api/v1/leads/${one}/merge`, body);
    if (merged === undefined) return;
    this.#ground.merges.push(merged.merge_id);
    this.#ground.count("merge", 1);
  }

  async #unmerge(): Promise<void> {
    const { merges } = this.#ground;
    const [id] = merges.splice(this.#number(merges.length), 1);
    if (id !== undefined && (await this.#call("POST", `/api/v1/merges/${id}/undo`)) !== undefined)
      this.#ground.count("unmerge", 1);
  }

  async #erase(): Promise<void> {
    const { leads } = this.#ground;
    const [id] = leads.splice(this.#number(leads.length), 1);
    if ((await this.#call("DELETE", `/api/v1/leads/${id}?erase=true`)) !== undefined)
      this.#ground.count("erase", 1);
  }

  async #erasePerson(): Promise<void> {
    const person = { email: this.#email() };
    type Certificate = { erased: { leads: number } };
    const dry = await this.#call<Certificate>("POST", "/api/v1/people/erase", { ...person, dry_run: true });
    if (dry === undefined || dry.erased.leads === 0) return;
    const body = { ...person, expected_leads: dry.erased.leads };
    const done = await this.#call<Certificate>("POST", "/api/v1/people/erase", body);
    this.#ground.count("erase person", done?.erased.leads ?? 0);
  }

  /** Imports a file; every other one is undone. */
  async #import(): Promise<void> {
    const { the, key } = this.#ground;
    const rows = Array.from(
      { length: 200 },
      () => `imp-${this.#number(600)},${this.#word()},${this.#number(100)}`,
    );
    const { id } = await uploaded(the, key, ["External id,Name,Score", ...rows].join("\n"));
    const { created, updated } = await acted(key, id, "commit");
    this.#ground.count("import", created + updated);
    if (this.#random() < 0.5) return;
    const { undo } = await acted(key, id, "undo");
    this.#ground.count("import undone", (undo?.deleted ?? 0) + (undo?.restored ?? 0));
  }

  /** Deletes the field `plan` with its values, and creates it again. */
  async #field(): Promise<void> {
    if ((await this.#call("DELETE", "/api/v1/fields/plan?force=true")) !== undefined)
      this.#ground.count("field", 1);
    await this.#call("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" });
  }

  #fresh(): object {
    const external = this.#random() < 0.3 ? { external_id: `crm-${this.#number(400)}` } : {};
    return { name: this.#word(), email: this.#email(), ...external, ...this.#patch() };
  }

  /** Values of tracked and of untracked fields. */
  #patch(): Record<string, unknown> {
    const all: [string, () => unknown][] = [
      ["name", () => this.#word()],
      ["score", () => this.#number(100)],
      ["status", () => this.#pick(STATUSES)],
      ["value", () => this.#number(1_000_000) / 100],
      ["phone", () => `+55 11 9${String(10_000_000 + this.#number(80_000_000))}`],
      ["city", () => this.#word()],
      ["company", () => (this.#random() < 0.2 ? null : this.#word())],
      ["custom", () => ({ shelf: this.#word() })],
    ];
    const chosen = all.filter(() => this.#random() < 0.3);
    return Object.fromEntries(
      (chosen.length === 0 ? all.slice(5, 6) : chosen).map(([name, value]) => [name, value()]),
    );
  }

  readonly #lead = (): string => this.#ground.leads[this.#number(this.#ground.leads.length)] ?? "lead_";
  readonly #number = (below: number): number => Math.floor(this.#random() * below);
  readonly #word = (): string => `w${this.#number(1_000)}`;
  readonly #email = (): string => `person-${this.#number(2_000)}@example.org`;
  #pick<T>(list: readonly T[]): T {
    return list[this.#number(list.length)] as T;
  }
}
