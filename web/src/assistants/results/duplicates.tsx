import { REASONS } from "../../duplicates/duplicate-words.ts";
import { leadName } from "../../words/lead-name.ts";
import { useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, isFields, listIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { useView } from "../host/view-context.ts";
import { Nothing } from "../parts/nothing.tsx";
import { Page } from "../parts/page.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Warning } from "../parts/warning.tsx";
import { RESULT_WORDS } from "./result-words.ts";
import styles from "./results.module.css";

/** The fields by which people tell leads apart. */
const COLUMNS = ["display_name", "email", "phone", "company", "status", "created_at"];

/** Groups of leads that have something in common. */
export function DuplicateGroups({ call: { answer } }: { call: Call }) {
  const words = useWords(RESULT_WORDS);
  const { number } = useView().format;
  const groups = listIn(answer, "groups").filter(isFields);
  return (
    <DuplicatesPage answer={answer} isEmpty={groups.length === 0}>
      {groups.map((group, i) => {
        const leads = listIn(group, "leads").filter(isFields);
        const count = Number(group.count ?? leads.length);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups never move
          <section key={i} className={styles.section}>
            <h2>{words.leadCount(number(count), count)}</h2>
            <LeadRows leads={leads} />
          </section>
        );
      })}
    </DuplicatesPage>
  );
}

/** Leads that may be the same as one, with the reasons. */
export function DuplicatesOfLead({ call: { answer } }: { call: Call }) {
  const words = useWords(RESULT_WORDS);
  const reasons: Readonly<Record<string, string>> = useWords(REASONS);
  const found = listIn(answer, "duplicates").filter(isFields);
  return (
    <DuplicatesPage answer={answer} isEmpty={found.length === 0}>
      {found.map((each) => {
        const lead = fieldsIn(each, "lead");
        const why = listIn(each, "reasons").filter(isFields);
        return (
          <section key={String(lead.id)} className={styles.section}>
            <h2>
              <bdi>{leadName(lead) || words.nameless}</bdi>{" "}
              <small>{why.map(({ code }) => reasons[String(code)] ?? String(code)).join(" · ")}</small>
            </h2>
            <LeadRows leads={[lead]} />
          </section>
        );
      })}
    </DuplicatesPage>
  );
}

function DuplicatesPage(page: { answer: Fields; isEmpty: boolean; children: React.ReactNode }) {
  const words = useWords(RESULT_WORDS);
  const isPart = page.answer.truncated === true || page.answer.next_cursor !== undefined;
  return (
    <Page title={page.isEmpty ? words.noDuplicates : words.duplicates} answer={page.answer}>
      {page.isEmpty ? <Nothing sentences={[words.noDuplicatesWhat]} /> : page.children}
      {isPart && <Warning text={words.partial} />}
    </Page>
  );
}

function LeadRows({ leads }: { leads: readonly Fields[] }) {
  const words = useWords(RESULT_WORDS);
  const known = leads.map(
    (lead): Fields => ({
      ...lead,
      name: leadName(lead) || words.nameless,
      phone: lead.phone_e164,
    }),
  );
  const columns = COLUMNS.filter((name) => known.some((lead) => lead[name] !== undefined));
  const rows = known.map((lead) => columns.map((name) => lead[name]));
  return <RecordTable columns={columns} rows={rows} name={words.leads} />;
}
