/** The name of the command key on this machine. */
export const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** The names of `mod+K` as they are printed on the person's keyboard. */
export const keyNames = (keys: string): string[] =>
  keys
    .split("+")
    .map((key) => (key === "mod" ? modKey : key === "shift" ? "⇧" : key === "alt" ? "Alt" : key));
