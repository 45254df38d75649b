import { UnstyledButton } from "@mantine/core";
import { useWords } from "../words/use-words.ts";
import styles from "./imports.module.css";
import { STEPS, type Step } from "./record/import-record.ts";
import { IMPORT_WORDS, STEP_NAMES } from "./record/import-words.ts";

/** The steps before anything is written; users can go back and forth. */
export function Steps({ at, onGo }: { at: Step; onGo(step: Step): void }) {
  const words = useWords(IMPORT_WORDS);
  const names = useWords(STEP_NAMES);
  return (
    <ol className={styles.steps} aria-label={words.steps}>
      {STEPS.map((step, place) => (
        <li key={step}>
          {step === "result" ? (
            <span className={styles.step}>
              <span aria-hidden>{place + 1}</span>
              {names[step]}
            </span>
          ) : (
            <UnstyledButton
              className={styles.step}
              onClick={() => onGo(step)}
              {...(step === at ? { "aria-current": "step" as const } : {})}
            >
              <span aria-hidden>{place + 1}</span>
              {names[step]}
            </UnstyledButton>
          )}
        </li>
      ))}
    </ol>
  );
}
