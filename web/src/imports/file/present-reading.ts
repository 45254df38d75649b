import type { Import } from "../../../../src/contract/imports/import.ts";
import type { Body } from "../../api/call.ts";

/** How a file is read. */
export type Reading = Body<"PUT", "/v1/imports/{id}/file">;

/**
 * Returns how a file is read now, to read it again with something else changed. What only a question decided, without an
 * answer, is left out: it is detected and asked again.
 */
export function presentReading({ file, preset, dataset, questions }: Import): Reading {
  const { format, encoding, delimiter, header_row: row } = file;
  const asked = (id: string) => questions.find((question) => question.id === id);
  const isSettled = (id: string) => asked(id)?.answer !== null;
  const footer = asked("rows:footer")?.answer ?? null;
  const program = (asked("program")?.answer ?? preset?.name) as Reading["preset"];
  const isTable = format === "csv" || format === "xlsx";
  return {
    ...(format !== null && format !== "xlsx" && { format }),
    ...(format !== "xlsx" && encoding !== null && isSettled("encoding") && { encoding }),
    ...(format === "csv" && delimiter !== null && { delimiter }),
    ...(isTable && isSettled("header_row") && (row === null ? { header: false } : { header_row: row })),
    ...(isTable && footer !== null && { footer: footer === "leave_out" }),
    ...(dataset === null && program !== undefined && isSettled("program") && { preset: program }),
  };
}

/** Returns a reading with something else changed. Another format gives other rows, so all but the encoding is detected again. */
export function changedReading(present: Reading, how: Reading): Reading {
  const { encoding, preset } = present;
  if ("format" in how) return { ...(encoding && { encoding }), ...(preset && { preset }), ...how };
  const { header: _, header_row: __, ...rest } = present;
  return { ...("header" in how || "header_row" in how ? rest : present), ...how };
}
