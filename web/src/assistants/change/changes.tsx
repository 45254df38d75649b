import { useLocale } from "../../words/use-words.ts";
import { Diff } from "../parts/diff.tsx";
import { labelOf } from "../parts/labels.ts";
import styles from "./change.module.css";

/** Fields with their values before and after. */
export function Changes({
  changes,
}: {
  changes: readonly { readonly field?: unknown; readonly from?: unknown; readonly to?: unknown }[];
}) {
  const locale = useLocale();
  if (changes.length === 0) return null;
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, from, to }) => (
        <div key={String(field)}>
          <dt>
            <bdi>{labelOf(locale, String(field))}</bdi>
          </dt>
          <dd>
            <Diff field={String(field)} from={from} to={to} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
