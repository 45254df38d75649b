/**
 * What a person typed and has not saved, in the storage of this tab: it survives a reload and signing in again, and
 * ends with the tab. Another person who signs in here deletes it, and so does signing out in this tab.
 */
const PREFIX = "leadgate-draft ";
const OWNER = "leadgate-person";

/** Bounds of the store: drafts, characters of one draft, and age. */
const MOST = 60;
const LONGEST = 100_000;
const OLDEST_MS = 7 * 86_400_000;

interface Kept {
  at: number;
  value: unknown;
}

/** Whose draft it is, and where: the person and the project by id, and the editor by name. */
export interface DraftPlace {
  person: string;
  project: string;
}

const keyOf = ({ person, project }: DraftPlace, name: string): string =>
  `${PREFIX}${person} ${project} ${name}`;

/** Storage may be full or switched off by the browser; the panel then works without drafts. */
function attempt<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(sessionStorage);
  } catch {
    return undefined;
  }
}

const keysIn = (storage: Storage): string[] => Object.keys(storage).filter((key) => key.startsWith(PREFIX));

function keptAt(storage: Storage, key: string): Kept | undefined {
  try {
    const kept: Partial<Kept> | null = JSON.parse(storage.getItem(key) ?? "null");
    if (typeof kept?.at !== "number" || kept.value === undefined) return undefined;
    return { at: kept.at, value: kept.value };
  } catch {
    return undefined;
  }
}

/** A draft as its editor wrote it: only this panel writes drafts, and a new shape of one needs a new name. */
export const asWritten = <T>(draft: unknown): T => draft as T;

/** Returns a draft, undefined if there is none. */
export const readDraft = (place: DraftPlace, name: string): unknown =>
  attempt((storage) => keptAt(storage, keyOf(place, name))?.value);

/** Keeps a draft; the oldest ones give way. One that is too long is kept in the page only. */
export function keepDraft(place: DraftPlace, name: string, value: unknown): void {
  attempt((storage) => {
    const key = keyOf(place, name);
    const text = JSON.stringify({ at: Date.now(), value } satisfies Kept);
    if (text.length > LONGEST) return storage.removeItem(key);
    storage.setItem(key, text);
    const others = keysIn(storage).filter((each) => each !== key);
    if (others.length < MOST) return;
    const age = (each: string) => keptAt(storage, each)?.at ?? 0;
    for (const each of others.sort((one, other) => age(one) - age(other)).slice(0, others.length + 1 - MOST))
      storage.removeItem(each);
  });
}

export const dropDraft = (place: DraftPlace, name: string): void => {
  attempt((storage) => storage.removeItem(keyOf(place, name)));
};

/** Returns the drafts whose name starts so, by the rest of their name. */
export function draftsUnder(place: DraftPlace, prefix: string): ReadonlyMap<string, unknown> {
  const start = keyOf(place, prefix);
  const found = attempt((storage) =>
    keysIn(storage).flatMap((key): [string, unknown][] => {
      const kept = key.startsWith(start) ? keptAt(storage, key) : undefined;
      return kept === undefined ? [] : [[key.slice(start.length), kept.value]];
    }),
  );
  return new Map(found);
}

/** Empties the storage if someone else used this tab before, and deletes drafts that are too old. */
export function keepDraftsOnlyOf(person: string): void {
  attempt((storage) => {
    if ((storage.getItem(OWNER) ?? person) !== person) storage.clear();
    storage.setItem(OWNER, person);
    for (const key of keysIn(storage)) {
      const kept = keptAt(storage, key);
      if (kept === undefined || kept.at < Date.now() - OLDEST_MS) storage.removeItem(key);
    }
  });
}
