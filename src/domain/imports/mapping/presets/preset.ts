import type { PresetName } from "../../../../contract/lists/files.ts";
import type { LeadFieldName } from "../../../../contract/lists/lead-fields.ts";

/** What a column of a program can fill. */
export type PresetField = LeadFieldName | "note" | "opt_out" | "opt_out_at";

/** Lists of headers; of each list, one must be present. */
export type Tell = readonly (readonly string[])[];

/** What is known of the files of one program. */
export interface Preset {
  name: PresetName;
  /** Headers that only this program writes. */
  tell: Tell;
  /** Other headers that show it instead of `tell`: its reports, older versions, other languages. */
  or?: readonly Tell[];
  /** Further headers, one of which must be present, to tell similar programs apart. */
  also: readonly string[];
  /** Headers that it never writes: a file with one of them was written by another program. */
  not?: readonly string[];
  /** By header, its field. Where several fill a field that takes one value, the first that has content should. */
  columns: Readonly<Record<string, PresetField>>;
  /** Columns without a standard field, by header: the keys of custom fields that keep them, whatever their words mean elsewhere. */
  custom?: Readonly<Record<string, string>>;
  /** Headers with this ending are kept in custom fields of the same names. */
  customEnding?: string;
  /** The column that names a lead's owner. */
  owner?: readonly string[];
  /** By the header of phones, that of their calling codes. */
  callingCode?: Readonly<Record<string, string>>;
  /** Tags that start with this are the program's own. */
  ignoredTags?: string;
  /** By header: texts that mean a blank cell, such as `Unassigned`. */
  blank?: Readonly<Record<string, readonly string[]>>;
  /** Columns that tell who is subscribed if all their values are known words for it, even if nobody opted out. */
  subscriptions?: readonly string[];
  /** Columns whose cells, joined, identify a row without an id, e-mail and phone. */
  identify?: readonly string[];
  /** Prefixes of the values in some columns, whatever the columns are called. */
  prefixes?: readonly string[];
  /** By field, a prefix that some of its values have. */
  prefixOf?: Readonly<Record<string, string>>;
  /** A row with a cell that starts like this is not a record. */
  skipRows?: string;
  /** By header: a row with one of these values there is not a record. */
  skipIf?: Readonly<Record<string, readonly string[]>>;
}
