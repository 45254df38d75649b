import { useState } from "react";
import { useWords, type Words } from "../words/use-words.ts";
import styles from "./long-text.module.css";

const WORDS: Words<{ all: string; less: string }> = {
  en: { all: "Show all", less: "Show less" },
  "pt-BR": { all: "Mostrar tudo", less: "Mostrar menos" },
};

const LONG = 400;

/**
 * Shows a text that a person wrote, with its line breaks; long texts are cut until expanded. An amount of money stays on
 * one line.
 */
export function LongText({ text, money = false }: { text: string; money?: boolean }) {
  const words = useWords(WORDS);
  const [whole, setWhole] = useState(false);
  if (money) return <bdi className="money">{text}</bdi>;
  const long = text.length > LONG;
  return (
    <>
      <bdi className={styles.text}>{long && !whole ? `${text.slice(0, LONG).toWellFormed()}…` : text}</bdi>
      {long && (
        <>
          {" "}
          <button type="button" className={styles.link} onClick={() => setWhole(!whole)}>
            {whole ? words.less : words.all}
          </button>
        </>
      )}
    </>
  );
}
