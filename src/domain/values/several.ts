import { cellReader } from "./cell-readers.ts";

const readEmail = cellReader("email");
const readPhone = cellReader("phone");

/** The fewest digits of a number that stands alone: "3333-4444/5555" is one number with two extensions. */
const FEWEST_DIGITS = 8;

/** Returns the e-mail addresses of a cell that holds several; one text if it does not. */
export function severalEmails(text: string): string[] {
  if (isList(text) || "value" in readEmail(text)) return [text];
  const parts = partsOf(text, /[\s,;/|]+|:::/, (part) => part.toLowerCase());
  return parts.every((part) => "value" in readEmail(part)) ? parts : [text];
}

/** Returns the phone numbers of a cell that holds several; one text if it does not. */
export function severalPhones(text: string): string[] {
  if (isList(text)) return [text];
  const parts = partsOf(text, /[,;/|\r\n]+|:::/, (part) => part.replace(/\D/g, ""));
  const isWhole = (part: string) =>
    part.replace(/\D/g, "").length >= FEWEST_DIGITS && "value" in readPhone(part);
  return parts.every(isWhole) ? parts : [text];
}

/** Lists with quoted entries are read elsewhere. */
const isList = (text: string): boolean => /^["[]/.test(text);

function partsOf(text: string, separator: RegExp, same: (part: string) => string): string[] {
  const parts = new Map<string, string>();
  for (const part of text.split(separator).map((each) => each.trim()))
    if (part !== "" && !parts.has(same(part))) parts.set(same(part), part);
  return parts.size === 0 ? [text] : [...parts.values()];
}
