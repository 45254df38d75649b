import type { Change } from "../../../src/contract/changes/change.ts";
import type { Surface } from "../../../src/contract/lists/changes.ts";
import { IconApi, IconAppWindow, IconMessageChatbot, IconServer, IconTerminal2 } from "../look/icons.ts";
import { useFormat } from "../words/format.ts";
import { useWords, type Words } from "../words/use-words.ts";
import styles from "./history.module.css";
import { HISTORY_WORDS, SURFACE_WORDS } from "./history-words.ts";

const KEY: Words<(name: string) => string> = {
  en: (name) => `API key “${name}”`,
  "pt-BR": (name) => `Chave de API “${name}”`,
};

const ICONS: Record<Surface, typeof IconApi> = {
  api: IconApi,
  mcp: IconMessageChatbot,
  panel: IconAppWindow,
  cli: IconTerminal2,
  service: IconServer,
};

/** Who made a change, where, and when. */
export function ByLine({ change }: { change: Pick<Change, "actor" | "surface" | "created_at"> }) {
  const words = useWords(HISTORY_WORDS);
  const keyOf = useWords(KEY);
  const surfaces = useWords(SURFACE_WORDS);
  const { ago, moment } = useFormat();
  const { actor, surface, created_at: at } = change;
  const Icon = ICONS[surface];
  const nobody = surface === "service" ? words.service : words.unknown;
  const who = actor.label === "" ? nobody : actor.type === "key" ? keyOf(actor.label) : actor.label;
  return (
    <span className={styles.by}>
      <bdi className={styles.who}>{who}</bdi>
      <span className={styles.surface}>
        <Icon size={14} aria-hidden />
        {surfaces[surface]}
      </span>
      <time dateTime={at} title={moment(at)}>
        {ago(at)}
      </time>
    </span>
  );
}
