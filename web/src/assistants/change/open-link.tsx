import { useState } from "react";
import { IconArrowUpRight } from "../../look/icons.ts";
import { useWords } from "../../words/use-words.ts";
import { useView } from "../host/view-context.ts";
import parts from "../parts/parts.module.css";
import styles from "./change.module.css";
import { CHANGE_WORDS } from "./change-words.ts";

/** A button that opens a page of Leadgate in the person's browser. Where the host does not open it, the URL is shown. */
export function OpenLink({ url, text }: { url: string; text: string }) {
  const words = useWords(CHANGE_WORDS);
  const { openLink } = useView();
  const [failed, setFailed] = useState(false);
  const host = hostOf(url);
  if (host === undefined) return null;
  return (
    <div className={styles.open}>
      <button
        type="button"
        className={parts.button}
        onClick={() => void openLink(url).then((opened) => setFailed(!opened))}
      >
        {text}
        <IconArrowUpRight size={16} aria-hidden />
      </button>
      <span className={styles.host}>{host}</span>
      {failed && (
        <p className={styles.address} role="alert">
          {words.notOpened} <code>{url}</code>
        </p>
      )}
    </div>
  );
}

/** The host of a web page; undefined for anything else. */
function hostOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed !== undefined && /^https?:$/.test(parsed.protocol) ? parsed.host : undefined;
}
