import type { Kind } from "../../identity/support/model.ts";
import type { ToldCalls } from "./told-calls.ts";

/** Few values, so that changes meet: `city` is an untracked field. */
const VALUES: Record<string, readonly unknown[]> = {
  status: ["new", "contacted", "lost"],
  score: [null, 1, 2],
  city: [null, "Natal", "Recife"],
  "custom.plan": [null, "a", "b"],
  tags: [[], ["x"], ["y"], ["x", "y"], ["y", "x", "z"]],
};

export const EMPTY = {
  ...{ external_id: null, email: null, phone: null, emails: [], phones: [] },
  ...{ status: "new", score: null, city: null, "custom.plan": null, tags: [] },
};

export type Fields = Record<string, unknown>;

const LISTS = ["emails", "phones"] as const;
const KINDS = ["external_id", "email", "phone"] as const;

/** Random records, whose addresses are few, so that leads share them, and no other seed has them. */
export class RandomRecords {
  readonly addresses: Record<Kind, readonly string[]>;
  readonly #random: () => number;
  readonly #one: ToldCalls["one"];

  constructor({ random, one }: ToldCalls, seed: number) {
    this.#random = random;
    this.#one = one;
    this.addresses = {
      external_id: ["x", "y", "z"].map((letter) => `${letter}-${seed}`),
      email: ["a", "b", "c", "d"].map((letter) => `${letter}@${seed}.example.org`),
      phone: [1, 2, 3].map((digit) => `+55119${10_000_000 + seed * 10 + digit}`),
    };
  }

  is = (share: number): boolean => this.#random() < share;

  /** Some fields that are no addresses, and those that are named. */
  some(...names: readonly string[]): Fields {
    return this.of([...new Set([...names, ...Object.keys(VALUES).filter(() => this.is(0.4))])]);
  }

  of = (names: readonly string[]): Fields =>
    Object.fromEntries(names.map((name) => [name, this.#one(VALUES[name] ?? [])]));

  /** Some main addresses, at least one. */
  main(): Fields {
    const shares = { external_id: 0.35, email: 0.65, phone: 0.5 };
    const kinds = KINDS.filter((kind) => this.is(shares[kind]));
    return Object.fromEntries(
      (kinds.length > 0 ? kinds : (["email"] as const)).map((kind) => [kind, this.#address(kind)]),
    );
  }

  /** The same, perhaps with further ones, and without others. */
  full(share = 0.3): Fields {
    const main = this.main();
    const lists = LISTS.filter(() => this.is(share));
    const emptied = KINDS.filter((kind) => main[kind] === undefined && this.is(0.05));
    return {
      ...main,
      ...Object.fromEntries(emptied.map((kind) => [kind, null])),
      ...Object.fromEntries(lists.map((list) => [list, this.further(list, main)])),
    };
  }

  /** Addresses for a lead that has some: each may be emptied. */
  patch(): Fields {
    const kinds = KINDS.filter(() => this.is(0.15));
    const main = kinds.map((kind) => [kind, this.is(0.3) ? null : this.#address(kind)]);
    const lists = LISTS.filter(() => this.is(0.15)).map((list) => [list, this.further(list, {})]);
    return Object.fromEntries([...main, ...lists]);
  }

  /** Further addresses; none is the main one. */
  further(list: (typeof LISTS)[number], main: Fields): string[] {
    const kind = list === "emails" ? "email" : "phone";
    return this.addresses[kind].filter((value) => value !== main[kind] && this.is(0.35));
  }

  #address = (kind: Kind): string => this.#one(this.addresses[kind]);
}

/** Fields as the API takes them. */
export function asPatch({ "custom.plan": plan, ...fields }: Fields): Fields {
  return plan === undefined ? fields : { ...fields, custom: { plan } };
}
