const MOST = 500;
const own = new Set<string>();

/** Remembers a change that this tab made. */
export function noteOwnChange(id: string): void {
  own.add(id);
  const [oldest] = own;
  if (own.size > MOST && oldest !== undefined) own.delete(oldest);
}

/** Whether this tab made a change, so that its screens show it already. */
export const isOwnChange = (id: string | null): boolean => id !== null && own.has(id);
