import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { Piece } from "./piece.ts";

export const text = (usual = ""): Piece<string> => ({
  read: (given) => given ?? usual,
  write: (value) => (value === usual ? null : value),
});

/** One of a few choices; anything else in the URL is the first of them. */
export const oneOf = <const T extends string>(choices: readonly [T, ...T[]]): Piece<T> => ({
  read: (given) => choices.find((each) => each === given) ?? choices[0],
  write: (value) => (value === choices[0] ? null : value),
});

export const list = (): Piece<readonly string[]> => ({
  read: (given) => (given === null || given === "" ? [] : given.split(",").map(decodeURIComponent)),
  write: (value) => (value.length === 0 ? null : value.map(encodeURIComponent).join(",")),
});

/** A structure, such as a filter. `check` decides whether a value from the URL is valid. */
export const json = <T>(usual: T, check: (value: unknown) => value is T): Piece<T> => ({
  read(given) {
    try {
      const value: unknown = given === null ? usual : JSON.parse(given);
      return check(value) ? value : usual;
    } catch {
      return usual;
    }
  },
  write: (value) => {
    const written = JSON.stringify(value);
    return written === JSON.stringify(usual) ? null : written;
  },
});

// biome-ignore lint/suspicious/noExplicitAny: pieces of all types, which Values<S> gives back
type Pieces = Record<string, Piece<any>>;
type Values<S> = { [K in keyof S]: S[K] extends Piece<infer T> ? T : never };

/** Reads every piece from the URL. The cast is safe because each value was read by its own piece. */
const read = <S extends Pieces>(pieces: S, parameters: URLSearchParams): Values<S> =>
  Object.fromEntries(
    Object.entries<Piece<unknown>>(pieces).map(([name, piece]) => [name, piece.read(parameters.get(name))]),
  ) as Values<S>;

/**
 * Keeps a screen's state in its URL, so that a link, the back button and a reload show the same. `pieces` must be a
 * constant of the module. Every change adds a step to the history, unless `replace` is set, for example while typing.
 */
export function useAddressState<S extends Pieces>(
  pieces: S,
): [Values<S>, (change: Partial<Values<S>>, options?: { replace?: boolean }) => void] {
  const [parameters, setParameters] = useSearchParams();
  const values = useMemo(() => read(pieces, parameters), [pieces, parameters]);
  const change = useCallback(
    (changed: Partial<Values<S>>, options: { replace?: boolean } = {}) => {
      // Start from the real URL: the rendered one may lag behind, and a click right after typing would drop
      // the last letter.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changed)) {
        const written = pieces[name]?.write(value) ?? null;
        if (written === null) next.delete(name);
        else next.set(name, written);
      }
      // Flush immediately: the next click builds on what the screen shows.
      setParameters(next, {
        replace: options.replace === true,
        preventScrollReset: true,
        flushSync: true,
      });
    },
    [pieces, setParameters],
  );
  return [values, change];
}
