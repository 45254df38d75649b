import assert from "node:assert/strict";
import type { Import } from "../../../src/contract/imports/import.ts";
import type { ImportQuestion } from "../../../src/contract/imports/import-question.ts";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import type { QuestionKind } from "../../../src/contract/lists/files.ts";
import { addProject } from "../../../src/domain/projects/create-project.ts";
import { bodyOf, refusalOf } from "../../api/support/v1.ts";
import type { KeyActor, World } from "../../world.ts";
import type { Answer, Expected } from "./corpus.ts";
import { acted, send, sums } from "./uploading.ts";

const get = async <T>(key: KeyActor, path: string): Promise<T> => bodyOf<T>(await key.send("GET", path));

/** Creates a project of that country and zone, and returns a key that may read, write and add fields. */
export async function projectKey(the: World, settings: Expected["project"]): Promise<KeyActor> {
  const { country, timezone, statuses, fields: own = [] } = settings;
  const id = await the.service.db.transaction((tx) =>
    addProject(the.service, tx, { name: "Corpus", ownerId: the.person.id, country, timezone }),
  );
  const key = await the.key(["leads:read", "leads:write", "schema:write"], id);
  if (statuses !== undefined) await bodyOf(await key.send("PUT", "/api/v1/statuses", { statuses }));
  for (const field of own) await bodyOf(await key.send("POST", "/api/v1/fields", field), 201);
  return key;
}

/** Uploads a file by its name, as a browser does; `more` are further parameters of the query. */
export async function upload(
  the: World,
  key: KeyActor,
  file: string,
  bytes: Buffer,
  more = "",
): Promise<Import> {
  return bodyOf<Import>(await post(the, key, file, bytes, more), 201);
}

/** Uploads a file and returns the answer, which may be a refusal. */
export const post = (the: World, key: KeyActor, file: string, bytes: Buffer, more = ""): Promise<Response> =>
  send(the, key, bytes, {
    type: "application/octet-stream",
    query: `?file_name=${encodeURIComponent(file)}${more}`,
  });

/** Returns the questions of a kind, and about a column if it is named. */
export const questionsOf = ({ questions }: Import, kind: QuestionKind, column?: string): ImportQuestion[] =>
  questions.filter((each) => each.kind === kind && (column === undefined || each.columns.includes(column)));

/**
 * Gives an import's answers, one after the other, since one may lead to other questions. Of a file that was imported before,
 * an answer may be taken over, or its question be gone, since the project has the field or option by now.
 */
export async function answered(
  key: KeyActor,
  made: Import,
  answers: readonly Answer[],
  { again = false } = {},
): Promise<Import> {
  let now = made;
  for (const answer of answers) {
    const question = now.questions.find((each) => isAbout(each, answer));
    if (question === undefined && (again || answer.optional === true)) continue;
    assert.ok(question, `no question for ${JSON.stringify(answer)} among ${JSON.stringify(now.questions)}`);
    const choice = chosen(question, [answer.choose].flat());
    assert.ok(choice, `no choice for ${JSON.stringify(answer)} in ${JSON.stringify(question)}`);
    if (question.answered_in !== null) {
      assert.equal(question.answer, choice.id, "the earlier answer is taken over");
      continue;
    }
    const path = `/api/v1/imports/${made.id}/answers`;
    now = await bodyOf<Import>(await key.send("PUT", path, { [question.id]: choice.id }));
    const after = now.questions.find(({ id }) => id === question.id);
    if (after !== undefined) assert.equal(after.answer, choice.id, "the answer is kept");
  }
  return now;
}

const isAbout = (question: ImportQuestion, { kind, columns = [], about = "" }: Answer): boolean =>
  question.kind === kind &&
  columns.every((column) => question.columns.includes(column)) &&
  [question.id, question.message, ...question.choices.flatMap(({ examples }) => examples)].some((text) =>
    text.includes(about),
  );

const chosen = ({ choices }: ImportQuestion, wanted: readonly string[]) =>
  wanted
    .map(
      (text) =>
        choices.find(({ id }) => id === text) ??
        choices.find(({ id, label }) => `${id}\n${label}`.includes(text)),
    )
    .find((choice) => choice !== undefined);

/** Commits an import, after a dry run that has the counts of the commit. */
export async function committed(
  key: KeyActor,
  { id }: Pick<Import, "id">,
  { dry = true } = {},
): Promise<Import> {
  const counts = dry ? await dryRun(key, id) : {};
  await acted(key, id, "commit");
  const done = await get<Import>(key, `/api/v1/imports/${id}`);
  assert.deepEqual([done.state, done.error], ["done", null]);
  const same = Object.fromEntries(Object.keys(counts).map((name) => [name, done[name as keyof Import]]));
  assert.deepEqual(counts, same, "the dry run has the commit's counts");
  sums(done);
  return done;
}

async function dryRun(key: KeyActor, id: string): Promise<object> {
  await acted(key, id, "dry-run");
  const { error, dry_run: dry } = await get<Import>(key, `/api/v1/imports/${id}`);
  assert.equal(error, null, JSON.stringify(error));
  const { finished_at: _, repeated: __, ...counts } = dry ?? { finished_at: "", repeated: null };
  return counts;
}

/** Returns the project's leads. */
export async function leadsOf(key: KeyActor): Promise<Lead[]> {
  const found = await key.send("POST", "/api/v1/leads/search", { limit: 500 });
  return (await bodyOf<{ leads: Lead[] }>(found)).leads;
}

/** Returns a lead's events of a type, such as `consent.*`. */
export async function eventsOf(
  key: KeyActor,
  { id }: Pick<Lead, "id">,
  type: string,
): Promise<{ type: string; occurred_at: string; data: Record<string, unknown> }[]> {
  const found = await key.send("GET", `/api/v1/leads/${id}/events?types=${type}&limit=100`);
  return (await bodyOf<{ events: Awaited<ReturnType<typeof eventsOf>> }>(found)).events;
}

/** Returns the texts of the notes on a lead's timeline. */
export const notesOf = async (key: KeyActor, lead: Pick<Lead, "id">): Promise<string[]> =>
  (await eventsOf(key, lead, "note.added")).map(({ data }) => String(data.text));

/** Asserts that a refused commit waits for the answers of the blocking questions. */
export async function assertWaits(key: KeyActor, { id }: Pick<Import, "id">): Promise<void> {
  const { status } = await refusalOf(await key.send("POST", `/api/v1/imports/${id}/commit`));
  assert.equal(status, 409, "the commit waits for an answer");
}
