import assert from "node:assert/strict";
import { test } from "node:test";
import { sheetAsCsv } from "../../../src/domain/imports/file/sheet/sheet-as-csv.ts";
import { sheetOf } from "../../imports/support/uploading.ts";

/** Days from the spreadsheet's day 0 to 1970, by date system. */
const SYSTEMS = { 1900: 25_569, 1904: 24_107 };
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Reads date cells, given as the XML has them. */
async function read(numbers: readonly string[], from1904: boolean): Promise<string[]> {
  const rows = numbers.map((number) => [{ number, date: true as const }]);
  async function* bytes() {
    yield sheetOf([["at"], ...rows], {}, { from1904 });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of sheetAsCsv(bytes(), undefined)) chunks.push(chunk);
  return Buffer.concat(chunks).toString().trimEnd().split("\n").slice(1);
}

/** A moment as programs write its day number: with all of a double's digits, or Excel's 15. */
const spellings = (at: number, zero: number): string[] => {
  const serial = at / DAY + zero;
  return [String(serial), serial.toPrecision(15)];
};

for (const [system, zero] of Object.entries(SYSTEMS)) {
  const from1904 = system === "1904";

  test(`every minute of a day is read from a spreadsheet as it shows it, in the date system of ${system}`, async () => {
    for (const day of ["2026-03-31", "1969-12-31", "1903-12-30"]) {
      const moments = Array.from({ length: 1_440 }, (_, i) => Date.parse(`${day}T00:00:00Z`) + i * MINUTE);
      const found = await read(
        moments.flatMap((at) => spellings(at, zero)),
        from1904,
      );
      const expected = moments.flatMap((at) => {
        const text = new Date(at).toISOString().slice(0, 19);
        const shown = text.endsWith("T00:00:00") ? day : text;
        return [shown, shown];
      });
      assert.deepEqual(found, expected, day);
    }
  });

  test(`a time of day without a day stays a time of day, in the date system of ${system}`, async () => {
    const minutes = Array.from({ length: 1_439 }, (_, i) => i + 1);
    const found = await read(
      minutes.map((minute) => String(minute / 1_440)),
      from1904,
    );
    const expected = minutes.map((minute) => `${new Date(minute * MINUTE).toISOString().slice(11, 19)}`);
    assert.deepEqual(found, expected);
  });
}

test("seconds are rounded as a spreadsheet shows them, also before 1970 and up to the next day", async () => {
  const day = (text: string) => Date.parse(text) / DAY + SYSTEMS[1900];
  const cells: [serial: number, shown: string][] = [
    [day("2026-03-31T13:45:12.400Z"), "2026-03-31T13:45:12"],
    [day("2026-03-31T13:45:12.600Z"), "2026-03-31T13:45:13"],
    [day("2026-03-31T23:59:59.600Z"), "2026-04-01"],
    [day("1955-03-31T13:45:12.600Z"), "1955-03-31T13:45:13"],
    [0, "00:00:00"],
    [-1, "1899-12-29"],
    [46_112.5729166667, "2026-03-31T13:45:00"],
    [2_958_465, "9999-12-31"],
  ];
  const found = await read(
    cells.map(([serial]) => String(serial)),
    false,
  );
  assert.deepEqual(
    found,
    cells.map(([, shown]) => shown),
  );
});
