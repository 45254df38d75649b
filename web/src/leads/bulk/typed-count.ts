/** Whether the text is the number, with or without separators of thousands. */
export const isTyped = (text: string, count: number): boolean =>
  /^\s*\d{1,3}([.,'’\s]?\d{3})*\s*$/u.test(text) && text.replaceAll(/\D/gu, "") === String(count);
