import { Button, CloseButton } from "@mantine/core";
import { useState } from "react";
import type { Job } from "../../../../src/contract/jobs/jobs.ts";
import type { CountedLeads } from "../../../../src/contract/leads/figures.ts";
import styles from "../../table/table.module.css";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { useSelection } from "../list/use-selection.ts";
import { BulkDialog, type Doing } from "./bulk-dialog.tsx";
import { BULK_SENTENCES, BULK_WORDS } from "./bulk-words.ts";

/** The actions for the selected leads. It is below the table, so that nothing moves when a lead is selected. */
export function BulkBar(bar: {
  selection: ReturnType<typeof useSelection>;
  query: LeadsQuery;
  total: CountedLeads | undefined;
  onJob(job: Job): void;
}) {
  const { selection, total } = bar;
  const words = useWords(BULK_WORDS);
  const say = useWords(BULK_SENTENCES);
  const { number } = useFormat();
  const [doing, setDoing] = useState<Doing>();
  const all = total === undefined ? "" : `${number(total.count)}${total.relation === "gte" ? "+" : ""}`;
  const { count } = selection;
  const isMore =
    count !== undefined && total !== undefined && (total.count > count || total.relation === "gte");
  const button = (what: Doing, name: string) => (
    <Button size="xs" variant="default" onClick={() => setDoing(what)} key={what}>
      {name}
    </Button>
  );
  return (
    <section className={styles.bulk} aria-label={words.bulk}>
      <strong role="status">{say.chosen(count === undefined ? all : number(count))}</strong>
      {isMore && (
        <Button size="xs" variant="subtle" onClick={selection.chooseAll}>
          {say.allOf(all)}
        </Button>
      )}
      {bar.query.deleted ? (
        button("restore", words.restore)
      ) : (
        <>
          {button("status", words.status)}
          {button("owner", words.owner)}
          {button("tag_add", words.addTags)}
          {button("tag_remove", words.removeTags)}
          {button("field", words.editField)}
          <Button size="xs" variant="light" color="red" onClick={() => setDoing("delete")}>
            {words.remove}
          </Button>
        </>
      )}
      <CloseButton
        ml="auto"
        aria-label={words.clear}
        onClick={selection.clear}
        className={styles.bulkClose ?? ""}
      />
      {doing !== undefined && (
        <BulkDialog
          doing={doing}
          selection={selection.selection}
          query={bar.query}
          onClose={() => setDoing(undefined)}
          onDone={(job) => {
            setDoing(undefined);
            selection.clear();
            if (job !== undefined) bar.onJob(job);
          }}
        />
      )}
    </section>
  );
}
