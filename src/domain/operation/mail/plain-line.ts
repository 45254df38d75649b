/** A name as a line of a mail: whatever would start another line or hide in it is a space. */
export const plainLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
