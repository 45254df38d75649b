import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import { USAGE_WORDS } from "./usage-words.ts";

/** How long ago something was used; the title shows the exact time. */
export function LastUse({ at }: { at: string | null }) {
  const words = useWords(USAGE_WORDS);
  const { ago, moment } = useFormat();
  if (at === null) return words.never;
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at)}
    </time>
  );
}
