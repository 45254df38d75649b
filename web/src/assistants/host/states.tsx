import { LongText } from "../../parts/long-text.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import styles from "./states.module.css";

const WORDS: Words<Record<"loading" | "failed" | "request", string>> = {
  en: { loading: "Loading…", failed: "The call failed", request: "Request" },
  "pt-BR": { loading: "Carregando…", failed: "A chamada falhou", request: "Solicitação" },
};

/** Placeholder lines until the host sends the answer. */
export function Waiting() {
  const words = useWords(WORDS);
  return (
    <main aria-busy>
      <h1 className="unseen">{words.loading}</h1>
      <div className={styles.lines} aria-hidden>
        <span />
        <span />
        <span />
      </div>
    </main>
  );
}

/** One sentence instead of an answer. */
export const Sentence = ({ text }: { text: string }) => (
  <main>
    <h1 className={styles.sentence}>{text}</h1>
  </main>
);

/** Why a call failed, and the id of the request, which support asks for. */
export function Failed({
  why,
  candidates,
  requestId,
}: {
  why: string;
  /** What the call may have meant. */
  candidates: readonly string[];
  requestId: string | undefined;
}) {
  const words = useWords(WORDS);
  return (
    <main>
      <div className={styles.failed}>
        <h1>{words.failed}</h1>
        <p>
          <LongText text={why} />
        </p>
        {candidates.length > 0 && (
          <ul>
            {candidates.map((candidate) => (
              <li key={candidate}>
                <bdi>{candidate}</bdi>
              </li>
            ))}
          </ul>
        )}
        {requestId !== undefined && (
          <p className={styles.request}>
            {words.request} <code>{requestId}</code>
          </p>
        )}
      </div>
    </main>
  );
}
