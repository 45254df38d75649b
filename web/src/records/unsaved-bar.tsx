import { Button, Group } from "@mantine/core";
import { againIn } from "../parts/problem.tsx";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords, type Words } from "../words/use-words.ts";
import styles from "./unsaved-bar.module.css";
import { cellKey, type UnsavedCell } from "./unsaved-cells.ts";

const WORDS: Words<Record<"notSaved" | "edit" | "discard", string>> = {
  en: { notSaved: "Not saved", edit: "Edit", discard: "Discard" },
  "pt-BR": { notSaved: "Não salvo", edit: "Editar", discard: "Descartar" },
};

/** The most values listed; the others are only counted. */
const SHOWN = 3;

/** The values that were not saved, with their cells, the reasons, and what to do. */
export function UnsavedBar(bar: {
  cells: ReadonlyMap<string, UnsavedCell>;
  labelOf(field: string): string;
  onAgain(cell: UnsavedCell): void;
  /** The function that opens the cell's editor, if it can be shown. */
  editorOf(cell: UnsavedCell): (() => void) | undefined;
  onDiscard(cell: UnsavedCell): void;
}) {
  const words = useWords(WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const failed = [...bar.cells.values()].filter(({ state }) => state === "failed");
  if (failed.length === 0) return null;
  return (
    <section className={styles.bar} role="alert" aria-label={words.notSaved}>
      <ul>
        {failed
          .slice(0, SHOWN)
          .map((cell) => ({ cell, onEdit: bar.editorOf(cell) }))
          .map(({ cell, onEdit }) => (
            <li key={cellKey(cell.record, cell.field)}>
              <span>
                <strong>{words.notSaved}:</strong> <bdi>{cell.name}</bdi> ·{" "}
                <bdi>{bar.labelOf(cell.field)}</bdi> <bdi>{cell.message}</bdi>
              </span>
              <Group gap={4} wrap="nowrap">
                {cell.again && (
                  <Button size="compact-xs" variant="light" onClick={() => bar.onAgain(cell)}>
                    {againIn(locale)}
                  </Button>
                )}
                {onEdit !== undefined && (
                  <Button size="compact-xs" variant="subtle" onClick={onEdit}>
                    {words.edit}
                  </Button>
                )}
                <Button size="compact-xs" variant="subtle" onClick={() => bar.onDiscard(cell)}>
                  {words.discard}
                </Button>
              </Group>
            </li>
          ))}
        {failed.length > SHOWN && <li>+{number(failed.length - SHOWN)}</li>}
      </ul>
    </section>
  );
}
