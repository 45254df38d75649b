/** Refuses an option that leaves nothing to do, so that a run that did nothing never counts as a good one. */
export function refuseNoWork(option: string, value: number, isWhole = false): void {
  if (value > 0 && Number.isFinite(value) && (!isWhole || Number.isSafeInteger(value))) return;
  throw new Error(`${option} must be ${isWhole ? "a whole number" : "a number"} above 0, not ${value}`);
}
