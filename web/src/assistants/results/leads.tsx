import { useLocale, useWords } from "../../words/use-words.ts";
import type { Call } from "../host/call.ts";
import { useView } from "../host/view-context.ts";
import { labelOf } from "../parts/labels.ts";
import { Nothing } from "../parts/nothing.tsx";
import { Page } from "../parts/page.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { useValueText } from "../parts/value-text.ts";
import { RESULT_WORDS } from "./result-words.ts";
import { tableIn } from "./table-of.ts";
import { useRange } from "./use-range.ts";

/** An answer of find_leads: how many there are, what all share, and this page of them. */
export function Leads({ call: { answer, input } }: { call: Call }) {
  const words = useWords(RESULT_WORDS);
  const locale = useLocale();
  const textOf = useValueText();
  const { format } = useView();
  const { columns, rows, same } = tableIn(answer.leads);
  const range = useRange(answer, input, rows.length);
  const currency = same.find(([field]) => field === "currency")?.[1];
  const reasons = answer.empty_because;
  if (range.count === 0)
    return (
      <Page title={words.noLeads} answer={answer}>
        <Nothing sentences={Array.isArray(reasons) ? reasons.map(String) : [words.noLeadsWhat]} />
      </Page>
    );
  const counted = words.leadCount(format.number(range.count), range.count);
  const shared = same.map(([field, value]) => `${labelOf(locale, field)} ${textOf(field, value, currency)}`);
  return (
    <Page
      title={range.isAtLeast ? words.more(counted) : counted}
      lead={[range.sentence, ...(shared.length > 0 ? [words.all(shared.join(" · "))] : [])]
        .filter(Boolean)
        .join(". ")}
      answer={answer}
    >
      {rows.length > 0 && (
        <RecordTable columns={columns} rows={rows} currency={currency} name={words.leads} />
      )}
    </Page>
  );
}
