import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords, type Words } from "../words/use-words.ts";
import styles from "./theirs-notice.module.css";

const WORDS: Words<Record<"changed" | "unknown" | "theirs" | "mine", string>> = {
  en: {
    changed: "changed this to",
    unknown: "This was changed to",
    theirs: "Take theirs",
    mine: "Keep mine",
  },
  "pt-BR": {
    changed: "alterou este campo para",
    unknown: "Este campo foi alterado para",
    theirs: "Usar esse valor",
    mine: "Manter o meu",
  },
};

/** Reports in an editor that a colleague changed the field meanwhile, before the person's own value is saved. */
export function TheirsNotice(notice: {
  /** Who changed it; empty if that is not known. */
  who: string;
  value: ReactNode;
  onTheirs(): void;
  onMine(): void;
}) {
  const words = useWords(WORDS);
  return (
    // the focus stays in the editor
    <div className={styles.notice} role="alert" onMouseDown={(event) => event.preventDefault()}>
      <span>
        {notice.who === "" ? (
          words.unknown
        ) : (
          <>
            <bdi>{notice.who}</bdi> {words.changed}
          </>
        )}{" "}
        <strong>
          <bdi>{notice.value}</bdi>
        </strong>
      </span>
      <Group gap={4}>
        <Button size="compact-xs" variant="default" onClick={notice.onTheirs}>
          {words.theirs}
        </Button>
        <Button size="compact-xs" variant="default" onClick={notice.onMine}>
          {words.mine}
        </Button>
      </Group>
    </div>
  );
}
