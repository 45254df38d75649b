import type { Locale, Words } from "../../../core/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";

const BUTTON: Words<Record<"copy" | "copied" | "selected", string>> = {
  en: { copy: "Copy", copied: "Copied", selected: "Selected. Copy it with Ctrl+C or ⌘C." },
  "pt-BR": { copy: "Copiar", copied: "Copiado", selected: "Selecionado. Copie com Ctrl+C ou ⌘C." },
};

const NAMES = {
  en: { key: "API key", call: "example call", link: "link", url: "MCP URL", command: "command" },
  "pt-BR": {
    ...{ key: "chave de API", call: "chamada de exemplo", link: "link", url: "URL MCP", command: "comando" },
  },
} satisfies Words<Record<string, string>>;

/** Returns what adds a copy button below the element in front of it, in browsers with script. */
export function copyButton(locale: Locale, what: keyof (typeof NAMES)["en"]): Html {
  const { copy, copied, selected } = BUTTON[locale];
  return html`<script src="/assets/copy.js" defer data-of="${NAMES[locale][what]}" data-copy="${copy}" data-copied="${copied}" data-selected="${selected}"></script>`;
}
