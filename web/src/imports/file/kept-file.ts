let kept: { id: string; file: File } | undefined;

/** Keeps the last uploaded file while the page is open: reading another sheet needs another upload. */
export const keepFile = (id: string, file: File): void => {
  kept = { id, file };
};

export const keptFile = (id: string): File | undefined => (kept?.id === id ? kept.file : undefined);
