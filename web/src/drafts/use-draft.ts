import { useCallback, useMemo, useRef, useState } from "react";
import { useMe, useProject } from "../session/me.ts";
import { asWritten, type DraftPlace, dropDraft, keepDraft, readDraft } from "./draft-store.ts";
import { useUnsaved } from "./unsaved.ts";

/** The signed-in person and the project, for functions of the draft store. */
export function useDraftPlace(): DraftPlace {
  const { id: person } = useMe().person;
  const { id: project } = useProject();
  return useMemo(() => ({ person, project }), [person, project]);
}

/** The next state; state is never a function, which the compiler cannot know of any `T`. */
const nextOf = <T>(next: T | ((present: T) => T), present: T): T =>
  typeof next === "function" ? (next as (present: T) => T)(present) : next;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * State that survives a reload and signing in again: `const [text, setText, { drop }] = useDraft("note/lead_…", "")`.
 * While it differs from `initial` and is not empty, leaving the screen asks first. Call `drop` once it is saved or
 * discarded.
 */
export function useDraft<T>(
  name: string,
  initial: T,
  isEmpty: (value: T) => boolean = () => false,
): [T, (next: T | ((present: T) => T)) => void, { isUnsaved: boolean; wasKept: boolean; drop(): void }] {
  const place = useDraftPlace();
  const first = useRef(initial);
  const nothing = useRef((value: T) => isEmpty(value) || same(value, first.current)).current;
  const [kept] = useState(() => readDraft(place, name));
  const [value, setValue] = useState<T>(kept === undefined ? initial : asWritten<T>(kept));
  const present = useRef(value);
  const set = useCallback(
    (next: T | ((present: T) => T)) => {
      const to = nextOf(next, present.current);
      present.current = to;
      setValue(to);
      if (nothing(to)) dropDraft(place, name);
      else keepDraft(place, name, to);
    },
    [place, name, nothing],
  );
  const drop = useCallback(() => {
    dropDraft(place, name);
    present.current = first.current;
    setValue(first.current);
  }, [place, name]);
  const isUnsaved = !nothing(value);
  useUnsaved(isUnsaved, drop);
  return [value, set, { isUnsaved, wasKept: kept !== undefined, drop }];
}
