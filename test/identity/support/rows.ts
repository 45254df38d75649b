/** The addresses of a lead or of a record that is given. In rows of the table, each value is a letter. */
export interface Addresses {
  external_id?: string;
  email?: string;
  phone?: string;
  emails?: readonly string[];
  phones?: readonly string[];
}

export type AddressField = keyof Addresses;

/** What a record is answered with; leads are named by their letters. */
type Answer =
  /** Several leads are meant, each found by a field of the record. */
  | { code: "identity_conflict" | "ambiguous"; leads: Readonly<Record<string, AddressField>> }
  /** A lead is made; fields of the record belong to others, which warnings name. */
  | { made: true; held: readonly (readonly [AddressField, string])[] }
  /** The record is of this lead, which has these values afterwards. */
  | { is: string; has?: Addresses; warns?: "perhaps" };

export interface Row {
  says: string;
  given: Addresses;
  leads: Readonly<Record<string, Addresses>>;
  /** Leads that were merged, each with the lead that survived. */
  merged?: Readonly<Record<string, string>>;
  /** Whether upserts would make other leads than these. */
  isPlain?: boolean;
  deleted?: readonly string[];
  answer: Answer;
}

/** The table of the rule, row by row. */
const TABLE: readonly Row[] = [
  {
    says: "e-mail a, phone 2: A (a, 1) and B (b, 2) are a conflict",
    given: { email: "a", phone: "2" },
    leads: { A: { email: "a", phone: "1" }, B: { email: "b", phone: "2" } },
    answer: { code: "identity_conflict", leads: { A: "email", B: "phone" } },
  },
  {
    says: "e-mail new, phone 1: a new lead, and A (a, 1) holds the phone",
    given: { email: "new", phone: "1" },
    leads: { A: { email: "a", phone: "1" } },
    answer: { made: true, held: [["phone", "A"]] },
  },
  {
    says: "e-mail new, phone 1: D (no e-mail, 1), with the e-mail",
    given: { email: "new", phone: "1" },
    leads: { D: { phone: "1" } },
    answer: { is: "D", has: { email: "new" } },
  },
  {
    says: "e-mail a, phone new: A (a, 1)",
    given: { email: "a", phone: "new" },
    leads: { A: { email: "a", phone: "1" } },
    answer: { is: "A", has: { phone: "new" } },
  },
  {
    says: "e-mail a, phone s: A (a, 1), although B (b, s) and C (c, s) have the phone",
    given: { email: "a", phone: "s" },
    leads: { A: { email: "a", phone: "1" }, B: { email: "b", phone: "s" }, C: { email: "c", phone: "s" } },
    answer: { is: "A", has: { phone: "s" }, warns: "perhaps" },
  },
  {
    says: "phone s: B (b, s) and C (c, s) are ambiguous",
    given: { phone: "s" },
    leads: { B: { email: "b", phone: "s" }, C: { email: "c", phone: "s" } },
    answer: { code: "ambiguous", leads: { B: "phone", C: "phone" } },
  },
  {
    says: "external id X, e-mail a: a new lead, and A (external id Y, a) holds the e-mail",
    given: { external_id: "X", email: "a" },
    leads: { A: { external_id: "Y", email: "a" } },
    answer: { made: true, held: [["email", "A"]] },
  },
  {
    says: "external id X, e-mail b: A (X, a) and B (b, no external id) are a conflict",
    given: { external_id: "X", email: "b" },
    leads: { A: { external_id: "X", email: "a" }, B: { email: "b" } },
    answer: { code: "identity_conflict", leads: { A: "external_id", B: "email" } },
  },
  {
    says: "e-mail f: A (a, further f), whose main e-mail stays a",
    given: { email: "f" },
    leads: { A: { email: "a", emails: ["f"] } },
    answer: { is: "A" },
  },
  {
    says: "external id of L, which was merged into S: S, which keeps its own",
    given: { external_id: "l" },
    leads: { S: { external_id: "s", email: "a" }, L: { external_id: "l", email: "b" } },
    merged: { L: "S" },
    answer: { is: "S" },
  },
  {
    says: "e-mail of L, which was merged into S: S, which keeps its own",
    given: { email: "b" },
    leads: { S: { external_id: "s", email: "a" }, L: { external_id: "l", email: "b" } },
    merged: { L: "S" },
    answer: { is: "S" },
  },
];

/** Cases that the text of the rule decides and the table does not have. */
const MORE: readonly Row[] = [
  {
    says: "phone w: A (a, 1, further w), whose main phone stays 1",
    given: { phone: "w" },
    leads: { A: { email: "a", phone: "1", phones: ["w"] } },
    answer: { is: "A" },
  },
  {
    says: "e-mail b: B (b) rather than A (a, further b)",
    given: { email: "b" },
    leads: { A: { email: "a", emails: ["b"] }, B: { email: "b" } },
    isPlain: true,
    answer: { is: "B", warns: "perhaps" },
  },
  {
    says: "e-mail b: B (b) rather than S, into which L (b) was merged",
    given: { email: "b" },
    leads: { S: { email: "a" }, L: { email: "b" }, B: { email: "b" } },
    merged: { L: "S" },
    answer: { is: "B", warns: "perhaps" },
  },
  {
    says: "e-mail f: A (a, further f) and B (b, further f) are ambiguous",
    given: { email: "f" },
    leads: { A: { email: "a", emails: ["f"] }, B: { email: "b", emails: ["f"] } },
    answer: { code: "ambiguous", leads: { A: "email", B: "email" } },
  },
  {
    says: "e-mail a: a new lead, for A (a) is deleted",
    given: { email: "a" },
    leads: { A: { email: "a" } },
    deleted: ["A"],
    answer: { made: true, held: [] },
  },
  {
    says: "external id of L, which was merged into the deleted S: a new lead",
    given: { external_id: "l" },
    leads: { S: { external_id: "s" }, L: { external_id: "l" } },
    merged: { L: "S" },
    deleted: ["S"],
    answer: { made: true, held: [] },
  },
  {
    says: "e-mail new, phone s: a new lead, and B (b, s) and C (c, s) hold the phone",
    given: { email: "new", phone: "s" },
    leads: { B: { email: "b", phone: "s" }, C: { email: "c", phone: "s" } },
    answer: {
      made: true,
      held: [
        ["phone", "B"],
        ["phone", "C"],
      ],
    },
  },
  {
    says: "e-mail a, further e-mail b: A (a) and B (b) are a conflict",
    given: { email: "a", emails: ["b"] },
    leads: { A: { email: "a" }, B: { email: "b" } },
    answer: { code: "identity_conflict", leads: { A: "email", B: "emails" } },
  },
  {
    says: "e-mail new, further e-mail b: a new lead, and B (b) holds the further e-mail",
    given: { email: "new", emails: ["b"] },
    leads: { B: { email: "b" } },
    answer: { made: true, held: [["emails", "B"]] },
  },
  {
    says: "external id X, phone 1: D (1), with the external id",
    given: { external_id: "X", phone: "1" },
    leads: { D: { phone: "1" } },
    answer: { is: "D", has: { external_id: "X" } },
  },
  {
    says: "external id X, phone 1: a new lead, and A (external id Y, 1) holds the phone",
    given: { external_id: "X", phone: "1" },
    leads: { A: { external_id: "Y", phone: "1" } },
    answer: { made: true, held: [["phone", "A"]] },
  },
  {
    says: "external id X, e-mail b, phone 3: A (X), B (b) and C (c, 3) are a conflict",
    given: { external_id: "X", email: "b", phone: "3" },
    leads: { A: { external_id: "X" }, B: { email: "b" }, C: { email: "c", phone: "3" } },
    answer: { code: "identity_conflict", leads: { A: "external_id", B: "email", C: "phone" } },
  },
  {
    says: "external id X, e-mail new: A (X, a), with the e-mail",
    given: { external_id: "X", email: "new" },
    leads: { A: { external_id: "X", email: "a" } },
    answer: { is: "A", has: { email: "new" } },
  },
  {
    says: "e-mail b, phone 1: S (a, 1), into which L (b) was merged, and which keeps its e-mail",
    given: { email: "b", phone: "1" },
    leads: { S: { email: "a", phone: "1" }, L: { email: "b" } },
    merged: { L: "S" },
    answer: { is: "S" },
  },
];

export const ROWS: readonly Row[] = [...TABLE, ...MORE];
