import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { faultText } from "../model/dataset-faults.ts";
import styles from "./paste.module.css";
import { type PastedSheet, type PasteFaults, pasteKey } from "./paste.ts";
import { PASTE_WORDS } from "./paste-words.ts";

const LINE_HEIGHT = 52;
const LONGEST = 20_000;

/** The pasted cells, each editable. Only visible lines are in the document. */
export function PasteTable(table: {
  sheet: PastedSheet;
  count: number;
  faults: PasteFaults;
  onCorrect(line: number, at: number, text: string): void;
}) {
  const { sheet, count, faults, onCorrect } = table;
  const words = useWords(PASTE_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const span = sheet.columns.length + 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section ref={scroller} className={styles.paste} tabIndex={0} aria-label={words.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.line}</th>
            {sheet.columns.map((column, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: pasted columns never move
              <th key={at} scope="col" data-out={column === undefined || undefined}>
                <bdi>{column?.label ?? words.ignored}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && (
            <tr aria-hidden>
              <td colSpan={span} style={{ height: before }} />
            </tr>
          )}
          {items.map(({ index, key }) => (
            <tr key={key} style={{ height: LINE_HEIGHT }}>
              <th scope="row">{number(index + 1)}</th>
              {sheet.columns.map((column, at) => {
                const fault = column === undefined ? undefined : faults.get(pasteKey(index, column.key));
                const text = sheet.lines[index]?.[at] ?? "";
                const id = `paste-${index}-${at}`;
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: pasted columns never move
                  <td key={at} data-wrong={fault !== undefined || undefined}>
                    {column === undefined ? (
                      <span className={styles.pasteOut}>{text.slice(0, 80).toWellFormed()}</span>
                    ) : (
                      <input
                        aria-label={`${column.label}, ${words.line} ${number(index + 1)}`}
                        aria-invalid={fault !== undefined}
                        aria-describedby={fault === undefined ? undefined : id}
                        value={text}
                        maxLength={LONGEST}
                        onChange={({ currentTarget }) => onCorrect(index, at, currentTarget.value)}
                      />
                    )}
                    {fault !== undefined && (
                      <small id={id} className={styles.pasteFault}>
                        {faultText(locale, fault)}
                      </small>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
          {after > 0 && (
            <tr aria-hidden>
              <td colSpan={span} style={{ height: after }} />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}
