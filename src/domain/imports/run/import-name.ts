/** What a process holds while it works on an import of its own; where nobody holds it, that process is gone. */
export const importName = (projectId: string, id: string): string => `${projectId}/${id}`;
