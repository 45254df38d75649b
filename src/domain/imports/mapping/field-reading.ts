import type { CellType } from "../../../contract/lists/column-types.ts";
import { ownerReader } from "../../fields/owners.ts";
import type { CellReader } from "../../values/cell-readers.ts";
import { keptPhone } from "../../values/read-phone.ts";
import { severalEmails, severalPhones } from "../../values/several.ts";
import type { ImportTarget } from "./import-target.ts";
import { readOptOut } from "./opt-outs.ts";
import type { TextReader } from "./ruled-reader.ts";

/** The lists that further e-mails and phones of a cell go to. */
export type SeveralField = "emails" | "phones";

/** How the cells of a field are read. */
export interface FieldReading {
  read: TextReader;
  /** Of an e-mail or phone: the texts of a cell that holds several. All but the first go to the list. */
  several?: { of(text: string): string[]; list: SeveralField };
}

/** Returns how a field's cells are read, besides their type: lead fields have rules of their own. */
export function readingOf(
  field: string,
  type: CellType,
  read: CellReader,
  { rows, owners, country }: ImportTarget,
): FieldReading {
  if (rows !== null) return { read };
  switch (field) {
    case "email":
      return { read, several: { of: severalEmails, list: "emails" } };
    case "phone":
      return { read, several: { of: severalPhones, list: "phones" } };
    case "emails":
      return { read: (text) => read(severalEmails(text).join(";")) };
    case "phones":
      return { read: (text) => read(severalPhones(text).join(";")) };
    case "opt_out":
    case "do_not_contact":
      return { read: (text) => readOptOut(field, text, read) };
    case "owner_id":
      return { read: ownerReader(owners) };
    default:
      return { read: type === "phone" && field.startsWith("custom.") ? keeping(read, country) : read };
  }
}

/** Custom phone fields store numbers as they do when written as JSON. */
const keeping =
  (read: CellReader, country: string | null): CellReader =>
  (text) => {
    const reading = read(text);
    return "value" in reading ? { value: keptPhone(String(reading.value), country) } : reading;
  };
