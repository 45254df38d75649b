import type { ReactNode } from "react";
import { type Fields, isFields, listIn, textIn } from "../host/answer.ts";
import styles from "./parts.module.css";
import { Warning } from "./warning.tsx";

/** What every view begins with: what it shows, and a sentence about it. Warnings of the answer come last. */
export function Page(page: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  answer?: Fields;
  children?: ReactNode;
}) {
  const warnings = page.answer === undefined ? [] : listIn(page.answer, "warnings").filter(isFields);
  return (
    <main>
      <header className={styles.head}>
        <div>
          <h1>{page.title}</h1>
          {page.lead !== undefined && <p className={styles.lead}>{page.lead}</p>}
        </div>
        {page.actions}
      </header>
      {page.children}
      {warnings.map((warning) => (
        <Warning key={JSON.stringify(warning)} text={textIn(warning, "message") ?? ""} />
      ))}
    </main>
  );
}
