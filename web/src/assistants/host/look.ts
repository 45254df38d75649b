import type { McpUiHostContext, McpUiStyleVariableKey } from "@modelcontextprotocol/ext-apps";

/** Our colours (assets/tokens.css) that the host's take the place of; the accent stays ours. */
const COLOURS: readonly (readonly [string, McpUiStyleVariableKey])[] = [
  ["--paper", "--color-background-primary"],
  ["--ground", "--color-background-secondary"],
  ["--tint", "--color-background-secondary"],
  ["--ink", "--color-text-primary"],
  ["--quiet", "--color-text-secondary"],
  ["--line", "--color-border-tertiary"],
  ["--warn", "--color-text-danger"],
];

/** Without all of these, the host's colours might not be legible on ours. */
const NEEDED: readonly McpUiStyleVariableKey[] = [
  "--color-background-primary",
  "--color-background-secondary",
  "--color-text-primary",
  "--color-text-secondary",
];

/** Shows the page in the host's theme, colours and font. */
export function applyLook({ theme, styles }: McpUiHostContext): void {
  const { dataset, style } = document.documentElement;
  if (theme === "light" || theme === "dark") dataset.look = theme;
  const given: Partial<Record<string, string | undefined>> = styles?.variables ?? {};
  const isWhole = NEEDED.every((name) => given[name] !== undefined);
  for (const [own, of] of COLOURS) {
    const value = isWhole ? given[of] : undefined;
    if (value === undefined) style.removeProperty(own);
    else style.setProperty(own, value);
  }
  const font = given["--font-sans"];
  if (font === undefined) style.removeProperty("--font");
  else style.setProperty("--font", font);
}
