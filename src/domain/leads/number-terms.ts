const DIGITS = 6;
const MOST_TERMS = 60;
const LARGEST = 1e300;
const SMALLEST = 1e-300;

/** The terms of custom_terms() that together hold every number from low to high, and few others. */
export function numberTerms(key: string, low: number, high: number): string[] {
  const [first, last] = [numberKey(low), numberKey(high)];
  const stem = `${[...key].slice(0, 60).join("")}#`;
  for (let digits = DIGITS; ; digits -= 1) {
    const prefixes = prefixesOf(first, last, digits);
    if (prefixes.length <= MOST_TERMS || digits === 1) return prefixes.map((prefix) => stem + prefix);
  }
}

/** The first 24 bits of a number in the order of numbers, as number_key() of the database has them. */
function numberKey(number: number): number {
  const bounded = Math.min(Math.max(number, -LARGEST), LARGEST);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(bounded) < SMALLEST ? 0 : bounded);
  const bits = view.getUint32(0);
  return (bounded <= -SMALLEST ? ~bits : bits ^ 0x8000_0000) >>> 8;
}

/** The fewest hexadecimal prefixes of at most so many digits that hold all keys from first to last. */
function prefixesOf(first: number, last: number, most: number): string[] {
  const found: string[] = [];
  const walk = (prefix: number, digits: number): void => {
    const width = 16 ** (DIGITS - digits);
    const [begin, end] = [prefix * width, (prefix + 1) * width - 1];
    if (end < first || begin > last) return;
    if (digits === most || (digits > 0 && begin >= first && end <= last)) {
      found.push(prefix.toString(16).padStart(digits, "0"));
    } else {
      for (let digit = 0; digit < 16; digit += 1) walk(prefix * 16 + digit, digits + 1);
    }
  };
  walk(0, 0);
  return found;
}
