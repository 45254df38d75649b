const LARGEST = 1e300;
const SMALLEST = 1e-300;

/** The terms of custom_terms() that together hold every number from low to high, and few others. */
export function numberTerms(key: string, low: number, high: number): string[] {
  const [first, last] = [numberKey(low), numberKey(high)];
  const stem = `${[...key].slice(0, 60).join("")}#`;
  const terms: string[] = [];
  for (let at = first; at <= last; ) {
    const isWholeByte = at % 256 === 0 && at + 255 <= last;
    terms.push(stem + (isWholeByte ? hex(at / 256, 2) : hex(at, 4)));
    at += isWholeByte ? 256 : 1;
  }
  return terms;
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

/** The first 16 bits of a number in the order of numbers, as number_key() of the database has them. */
function numberKey(number: number): number {
  const bounded = Math.min(Math.max(number, -LARGEST), LARGEST);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(bounded) < SMALLEST ? 0 : bounded);
  const bits = view.getUint32(0);
  return (bounded <= -SMALLEST ? ~bits : bits ^ 0x8000_0000) >>> 16;
}
