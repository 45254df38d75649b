/** What this machine calls the key of commands. */
export const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** `mod+K` as people read it on their keyboard. */
export const keyNames = (keys: string): string[] =>
  keys
    .split("+")
    .map((key) => (key === "mod" ? modKey : key === "shift" ? "⇧" : key === "alt" ? "Alt" : key));
