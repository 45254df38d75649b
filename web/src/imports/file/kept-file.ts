let kept: { id: string; file: File } | undefined;

/** Remembers the file of the latest upload as long as the page is open: another sheet of it is another upload. */
export const keepFile = (id: string, file: File): void => {
  kept = { id, file };
};

export const keptFile = (id: string): File | undefined => (kept?.id === id ? kept.file : undefined);
