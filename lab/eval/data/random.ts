/** A source of pseudo-random numbers with a seed (mulberry32), so that the same seed plants the same data. */
export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  part(): number;
  /** Returns a whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const part = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number) => from + Math.floor(part() * (to - from + 1));
  return {
    part,
    whole,
    pick(list) {
      const picked = list[whole(0, list.length - 1)];
      if (picked === undefined) throw new Error("there is nothing to pick from");
      return picked;
    },
  };
}
