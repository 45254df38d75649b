import { bodyOf } from "../../api/support/v1.ts";
import type { IdentityModel, Kind, ModelAnswer, UpsertOptions } from "../../identity/support/model.ts";
import { fileOf } from "../../identity/support/ways.ts";
import { acted, sums, uploaded } from "../../imports/support/uploading.ts";
import type { World } from "../../world.ts";
import type { ModelChange, ModelLead } from "./history-model.ts";
import { asPatch, EMPTY, type Fields, type RandomRecords } from "./random-records.ts";
import type { ToldCalls } from "./told-calls.ts";

/** What the service answers to one record. */
interface Answered {
  id: string | null;
  outcome: string;
  error: { code: string; details: { code: string; message: string }[] } | null;
  warnings?: { path: string; code: string; message: string }[];
}

interface History {
  the: World;
  calls: ToldCalls;
  model: IdentityModel;
  records: RandomRecords;
  source: string;
  ended(change: ModelChange, id: string | null): void;
}

const COLUMNS = [
  "id",
  "external_id",
  "email",
  "phone",
  "emails",
  "phones",
  "status",
  "score",
  "city",
  "source",
];

/** The steps of a history that find leads by what identifies them. */
export function identifying({ the, calls, model, records, source, ended }: History) {
  const { one } = calls;
  const { is } = records;
  const call = calls.call.bind(calls);
  const send = calls.send.bind(calls);
  const fail = calls.fail.bind(calls);
  const same = calls.same.bind(calls);
  return { upsert, bulkUpsert, imported, eventOf, refused };

  /** What a call with these records looks by, and whether it fills. */
  function options(given: readonly Fields[]): UpsertOptions {
    const common = (["external_id", "email", "phone"] as const).filter((kind) =>
      given.every((record) => typeof record[kind] === "string"),
    );
    const order: Kind[] = common.filter(() => is(0.6));
    if (is(0.5)) order.reverse();
    return { matchOn: order.length > 0 && is(0.3) ? order : undefined, fill: is(0.2) };
  }

  async function upsert(author: number): Promise<void> {
    const given = { ...records.full(), ...records.some("status") };
    const how = options([given]);
    const change = model.begin(author);
    const answer = model.upsert(change, given, EMPTY, how);
    const body = { ...asked(how), lead: { ...asPatch(given), source } };
    const { status, id, body: shown, warnings } = await call(author, "PUT", "leads/upsert", body);
    const outcome = { 200: "updated or unchanged", 201: "created" }[status] ?? "failed";
    check(answer, { outcome, id: shown.id ?? null, error: shown.error ?? null, warnings });
    ended(change, id);
  }

  /** Several records at once, each of which finds what the earlier ones wrote. */
  async function bulkUpsert(author: number): Promise<void> {
    const items: Fields[] = Array.from({ length: one([1, 2, 3, 4]) }, () => ({
      ...records.full(),
      ...records.some("status"),
    }));
    const how = options(items);
    const { id, body } = await send(author, "POST", "leads/bulk", {
      ...{ op: "upsert", ...asked(how) },
      items: items.map((given) => ({ ...asPatch(given), source })),
    });
    calls.tell(`= ${JSON.stringify(body.results)}`);
    const change = model.begin(author);
    for (const [i, given] of items.entries()) check(model.upsert(change, given, EMPTY, how), body.results[i]);
    ended(change, id);
  }

  function check(answer: ModelAnswer, answered: Answered): void {
    const { id, error, outcome, warnings = [] } = answered;
    if ("leads" in answer) {
      refused({ body: { error } }, answer.outcome, answer.leads);
      return;
    }
    if (error !== null) fail(`the answer is ${JSON.stringify(error)}, in the model ${answer.outcome}`);
    if (!outcome.includes(answer.outcome)) fail(`it is ${outcome}, in the model ${answer.outcome}`);
    if (answer.outcome === "created") answer.lead.id = String(id);
    if (id !== answer.lead.id) fail(`it is ${id}, in the model ${answer.lead.id}`);
    const told = warnings.map(({ path, message }): [unknown, string[]] => [
      path.split(".").at(-1),
      message.match(/lead_\w+/g) ?? [],
    ]);
    const held = answer.held.map(({ field, leads }): [unknown, string[]] => [
      field,
      leads.map((lead) => lead.id),
    ]);
    same(distinct(told), distinct(held));
  }

  /** A refusal names the leads that are its reason. */
  function refused(
    { body }: { body: { error?: Answered["error"] } },
    code: string,
    leads: readonly ModelLead[],
  ): void {
    const told = body.error?.details.filter((each) => ["candidate", "external_id_taken"].includes(each.code));
    const named = told?.map(({ message }) => message).sort();
    same([body.error?.code, named], [code, leads.map(({ id }) => id).sort()]);
  }

  /** A file that changes leads and creates others; an empty cell changes nothing, and cells with several addresses add them. */
  async function imported(author: number): Promise<void> {
    const key = calls.key(author);
    const rows = Array.from({ length: one([1, 2, 3, 4]) }, () => {
      const id = is(0.1) ? { id: one(model.leads).id } : {};
      const given: Fields = { ...id, ...records.full(), ...records.of(["status", "score", "city"]) };
      const filled = Object.entries(given).filter(([, value]) => value !== null && String(value) !== "");
      const added = Object.fromEntries(
        (["email", "phone"] as const).flatMap((kind) => {
          const more = typeof given[kind] !== "string" || is(0.8) ? [] : records.further(`${kind}s`, given);
          return more.length === 0 ? [] : [[`${kind}s`, more]];
        }),
      );
      return { given: Object.fromEntries(filled) as Fields, added: added as Fields };
    });
    const cells = ({ given: { email, phone, ...given }, added }: (typeof rows)[number]) => ({
      ...{ ...given, source },
      email: [email, ...((added.emails as string[]) ?? [])].join("; "),
      phone: [phone, ...((added.phones as string[]) ?? [])].join("; "),
    });
    const file = fileOf(rows.map(cells), COLUMNS);
    const fill = is(0.2);
    calls.tell(`${author} imports${fill ? ", with fill," : ""} ${file}`);
    const upload = await uploaded(the, key, file);
    const mapping = { columns: Object.fromEntries(COLUMNS.map((name) => [name, name])), fill };
    if (fill) await bodyOf(await key.send("PUT", `/api/v1/imports/${upload.id}/mapping`, mapping));
    const done = await acted(key, upload.id, "commit");
    if (done.state !== "done") fail(`the import is ${done.state} ${JSON.stringify(done.error)}`);
    const change = model.begin(author, { isImport: true });
    const answers = rows.map(({ given, added }) => model.upsert(change, given, EMPTY, { fill, added }));
    const number = (...outcomes: string[]) =>
      answers.filter((each) => outcomes.includes(each.outcome)).length;
    const counts = [number("created"), number("updated"), number("unchanged"), 0];
    const failed = answers.flatMap((each, i) =>
      "leads" in each ? [[i + 2, codeOf(each, rows[i]?.given)]] : [],
    );
    same(sums(done), [rows.length, ...counts, failed.length]);
    const { errors } = await bodyOf<{ errors: { row: number; errors: { code: string }[] }[] }>(
      await key.send("GET", `/api/v1/imports/${upload.id}/errors`),
    );
    same(
      errors.map(({ row, errors: [first] }) => [row, first?.code]),
      failed,
    );
    ended(change, done.change_id);
  }

  /** An event whose lead is named by an address. */
  async function eventOf(author: number): Promise<void> {
    const kind = one(["external_id", "email", "phone"] as const);
    const value = one(records.addresses[kind]);
    const found = model.find(kind, value);
    const events = [{ type: "call.made", lead: { [kind]: value } }];
    const { id, body } = await send(author, "POST", "events/batch", { events });
    const [{ lead_id, error }] = body.results;
    if (found.length > 1) return refused({ body: { error } }, "ambiguous", found);
    const [lead] = found;
    same([error?.code ?? null, lead_id], lead === undefined ? ["not_found", null] : [null, lead.id]);
    const change = model.begin(author);
    if (lead !== undefined) model.event(change, lead);
    ended(change, id);
  }
}

/** The options as the API takes them. */
const asked = ({ matchOn, fill }: UpsertOptions) => ({
  ...(matchOn === undefined ? {} : { match_on: matchOn }),
  ...(fill === true ? { fill } : {}),
});

/** The code of a failed row: that an external id belongs to another lead than the id of the row has a code of its own. */
function codeOf({ outcome, leads }: Extract<ModelAnswer, { leads: unknown }>, given: Fields = {}): string {
  const isTaken = leads.at(-1)?.fields.external_id === given.external_id && leads.length === 2;
  return outcome === "identity_conflict" && given.id !== undefined && isTaken ? "external_id_taken" : outcome;
}

/** Each warning once, in some order. */
const distinct = (warnings: readonly (readonly [unknown, string[]])[]): string[] =>
  [...new Set(warnings.map(([field, ids]) => `${field}: ${[...ids].sort()}`))].sort();
