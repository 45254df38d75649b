import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import type { Locale, Words } from "../words/use-words.ts";

/** The service's green, from the background of selected items to its darkest text color. */
const pine: MantineColorsTuple = [
  "#e9f3ef",
  "#d6e9e1",
  "#b0d6c7",
  "#84c4ad",
  "#58c2a6",
  "#35957d",
  "#28806b",
  "#1f6f5c",
  "#195a4b",
  "#11443a",
];

/** Grays with a little green in them, so that nothing looks blue next to it. */
const gray: MantineColorsTuple = [
  "#f7f8f6",
  "#f0f2ef",
  "#e5e8e4",
  "#d9dedb",
  "#c3cac6",
  "#8c9893",
  "#6a7671",
  "#55625e",
  "#36413d",
  "#1b2422",
];

const dark: MantineColorsTuple = [
  "#e8edeb",
  "#c6cfcb",
  "#a3b0ab",
  "#84918c",
  "#4a565a",
  "#364044",
  "#232a2e",
  "#1c2225",
  "#14181a",
  "#0e1113",
];

const CLOSE: Words<string> = { en: "Close", "pt-BR": "Fechar" };

/** Returns Mantine's theme, with the texts of its own components in this language. */
export const themeIn = (locale: Locale) =>
  createTheme({
    colors: { pine, gray, dark },
    primaryColor: "pine",
    primaryShade: { light: 7, dark: 6 },
    autoContrast: true,
    black: "#1b2422",
    defaultRadius: "md",
    cursorType: "pointer",
    focusRing: "auto",
    respectReducedMotion: true,
    fontFamily: "system-ui, sans-serif",
    fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    headings: {
      fontFamily: "system-ui, sans-serif",
      fontWeight: "650",
      sizes: {
        h1: { fontSize: "1.5rem", lineHeight: "1.25" },
        h2: { fontSize: "1.125rem", lineHeight: "1.35" },
        h3: { fontSize: "1rem", lineHeight: "1.4" },
      },
    },
    components: {
      Modal: { defaultProps: { centered: true, radius: "lg", overlayProps: { backgroundOpacity: 0.45 } } },
      Tooltip: { defaultProps: { openDelay: 350, withArrow: true } },
      Paper: { defaultProps: { withBorder: true, radius: "lg" } },
      CloseButton: { defaultProps: { "aria-label": CLOSE[locale] } },
      Loader: { defaultProps: { type: "dots" } },
      // the placeholder that takes the initial focus is an element that a menu must not contain
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    },
  });

const TOKENS = {
  "--mantine-color-body": "var(--paper)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--quiet)",
  "--mantine-color-placeholder": "var(--quiet)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-error": "var(--warn)",
  "--mantine-color-default": "var(--paper)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-hover": "var(--tint)",
  "--mantine-color-default-border": "var(--edge)",
};

/** Mantine's colors come from assets/tokens.css, which the server's pages use too. */
export const tokens: CSSVariablesResolver = () => ({
  variables: {},
  light: TOKENS,
  dark: TOKENS,
});
