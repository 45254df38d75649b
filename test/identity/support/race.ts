import assert from "node:assert/strict";
import { bodyOf } from "../../api/support/v1.ts";
import { acted, uploaded } from "../../imports/support/uploading.ts";
import type { KeyActor, World } from "../../world.ts";
import type { Addresses } from "./rows.ts";
import { bulkUpsert, fileOf, upsert } from "./ways.ts";

/** A person whom several writers write at once. */
export interface Person {
  source: string;
  /** What each writer gives of the person, by its number. */
  given(writer: number): Addresses;
}

type Writer = (number: number, records: readonly object[]) => Promise<() => Promise<unknown>>;

const AT_ONCE = 4;
const IN_BULK = 20;

/** A race of eight writers over three ways in. */
export class Race {
  readonly #the: World;
  readonly #key: KeyActor;
  readonly #writers: readonly Writer[];

  constructor(the: World, key: KeyActor) {
    this.#the = the;
    this.#key = key;
    const [one, bulk, file] = [this.#upserts, this.#bulks, this.#file];
    this.#writers = [one, bulk, file, one, bulk, one, bulk, file];
  }

  /** Returns the race in a project in which each writer has a custom field. */
  static async in(the: World): Promise<Race> {
    const race = new Race(the, await the.key(["leads:read", "leads:write", "schema:write"]));
    for (const number of race.#writers.keys()) {
      const field = { key: `w${number}`, label: `W${number}`, type: "text" };
      await bodyOf(await race.#key.send("POST", "/api/v1/fields", field), 201);
    }
    return race;
  }

  get key(): KeyActor {
    return this.#key;
  }

  get writers(): readonly number[] {
    return [...this.#writers.keys()];
  }

  /** Has all writers write all persons at once, each in another order and with its own custom field. */
  async run(persons: readonly Person[]): Promise<void> {
    const starts = await Promise.all(
      this.#writers.map(async (writer, number) => {
        const from = Math.floor((persons.length * number) / this.#writers.length);
        const records = [...persons.slice(from), ...persons.slice(0, from)].map(({ source, given }) => ({
          ...{ ...given(number), source },
          custom: { [`w${number}`]: `by ${number}` },
        }));
        return await writer(number, records);
      }),
    );
    await Promise.all(starts.map((start) => start()));
  }

  #upserts: Writer = async (_, records) => async () => {
    const left = records.values();
    const worker = async () => {
      for (const lead of left) {
        const given = await upsert(this.#key, lead);
        assert.equal(given.failed, false, JSON.stringify([lead, given]));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };

  #bulks: Writer = async (_, records) => async () => {
    for (let from = 0; from < records.length; from += IN_BULK) {
      const items = records.slice(from, from + IN_BULK);
      const failed = (await bulkUpsert(this.#key, items)).filter((given) => given.failed);
      assert.deepEqual(failed, []);
    }
  };

  /** The file is uploaded before the race. */
  #file: Writer = async (number, records) => {
    const field = `custom.w${number}`;
    const columns = ["external_id", "email", "phone", "emails", "source", field];
    const file = fileOf(
      records.map((record) => ({ ...record, [field]: `by ${number}` })),
      columns,
    );
    const { id } = await uploaded(this.#the, this.#key, file);
    const mapping = { columns: Object.fromEntries(columns.map((name) => [name, name])) };
    await bodyOf(await this.#key.send("PUT", `/api/v1/imports/${id}/mapping`, mapping));
    return async () => {
      const { state, failed } = await acted(this.#key, id, "commit");
      const errors = await this.#key.send("GET", `/api/v1/imports/${id}/errors`);
      assert.deepEqual([state, failed], ["done", 0], await errors.text());
    };
  };
}

export interface Raced extends Addresses {
  id: string;
  name: string | null;
  source: string;
  custom: Record<string, string>;
}

/** Returns the leads of these sources. */
export async function leadsFrom(key: KeyActor, sources: readonly string[]): Promise<Raced[]> {
  const leads: Raced[] = [];
  for (let from = 0; from < sources.length; from += 50) {
    const filter = { field: "source", op: "in", value: sources.slice(from, from + 50) };
    const answer = await key.send("POST", "/api/v1/leads/search", { filter, limit: 500 });
    leads.push(...(await bodyOf<{ leads: Raced[] }>(answer)).leads);
  }
  return leads;
}
