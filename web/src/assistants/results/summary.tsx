import { useState } from "react";
import { type Locale, useLocale, useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, listIn, numberIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { useView } from "../host/view-context.ts";
import { labelOf } from "../parts/labels.ts";
import { Nothing } from "../parts/nothing.tsx";
import { Page } from "../parts/page.tsx";
import { Warning } from "../parts/warning.tsx";
import { INTERVAL_WORDS, intervalOf } from "./buckets.ts";
import { Choice } from "./choice.tsx";
import { amountsIn, figureName, figuresOf, groupsIn, written } from "./figures.ts";
import { GroupBars } from "./group-bars.tsx";
import { RESULT_WORDS } from "./result-words.ts";
import { Series } from "./series.tsx";
import { Tiles } from "./tiles.tsx";
import { usePeriod } from "./use-period.ts";

/** An answer of summarize_leads: tiles without groups, a chart by time, otherwise bars. */
export function Summary({ call: { answer, input } }: { call: Call }) {
  const words = useWords(RESULT_WORDS);
  const locale = useLocale();
  const { format } = useView();
  const groups = groupsIn(answer);
  const figures = figuresOf(groups);
  const [chosen, choose] = useState("");
  const figure = figures.includes(chosen) ? chosen : (figures[0] ?? "");
  const fields = listIn(input, "group_by").map(String);
  const interval = intervalOf(fields[0]);
  const names = fields.map((field) => groupName(locale, field));
  const total = numberIn(answer, "total_groups") ?? groups.length;
  const isOne = groups.every(({ key }) => Object.keys(key).length === 0);
  const period = usePeriod(answer);
  const all = fieldsIn(answer, "all");
  const whole = amountsIn(all)[figure] ?? all[figure];
  const overall =
    whole === undefined || figure === "share" ? undefined : words.overall(written(format, figure, whole));
  if (groups.length === 0) return <NoGroups period={period} answer={answer} />;
  return (
    <Page
      title={
        isOne || names.length === 0
          ? words.summary
          : words.by(figureName(locale, figure), format.list(names.map(lowered)))
      }
      lead={[period, overall].filter(Boolean).join(". ")}
      actions={
        !isOne &&
        figures.length > 1 && (
          <Choice
            name={words.figure}
            options={figures.map((name) => ({ value: name, label: figureName(locale, name) }))}
            chosen={figure}
            onChoose={choose}
          />
        )
      }
      answer={answer}
    >
      {isOne ? (
        <Tiles figures={groups[0]?.figures ?? {}} names={figures} />
      ) : interval !== undefined && fields.length === 1 && groups.length > 1 ? (
        <Series groups={groups} figure={figure} interval={interval} head={capital(names[0] ?? words.group)} />
      ) : (
        <GroupBars groups={groups} figure={figure} figures={figures} fields={fields} />
      )}
      {answer.currencies !== undefined && <Warning text={words.currencies} />}
      {total > groups.length && <Partly shown={groups.length} total={total} />}
    </Page>
  );
}

/** What a group is by: a field, or an interval of time. */
function groupName(locale: Locale, group: string): string {
  const [field = ""] = group.split(":");
  const interval = intervalOf(group);
  if (interval === undefined) return labelOf(locale, field);
  const name = INTERVAL_WORDS[locale][interval];
  return field === "created_at" ? name : `${labelOf(locale, field)} (${name})`;
}

/** A name inside a sentence; abbreviations such as UTM keep their capitals. */
const lowered = (name: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function NoGroups({ period, answer }: { period: string | undefined; answer: Fields }) {
  const words = useWords(RESULT_WORDS);
  return (
    <Page title={words.noGroups} lead={period} answer={answer}>
      <Nothing sentences={[words.noLeadsWhat]} />
    </Page>
  );
}

function Partly({ shown, total }: { shown: number; total: number }) {
  const words = useWords(RESULT_WORDS);
  const { number } = useView().format;
  return <Warning text={words.groups(number(shown), number(total))} />;
}
