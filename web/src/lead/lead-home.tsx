import { Alert, SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { oneOf, useAddressState } from "../address/use-address-state.ts";
import { useMay } from "../api/me.ts";
import { Problem } from "../parts/problem.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords } from "../words/use-words.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { DuplicatesOf } from "./duplicates-of.tsx";
import { Facts } from "./facts.tsx";
import { FieldFactsContext, useReadFieldFacts } from "./field-facts.ts";
import styles from "./lead.module.css";
import type { Lead } from "./lead.ts";
import { LeadContext, type LeadHere } from "./lead-context.ts";
import { LeadHead } from "./lead-head.tsx";
import { LEAD_WORDS } from "./lead-words.ts";
import { LinkedRows } from "./linked-rows.tsx";
import { Story } from "./story.tsx";
import { useChanges } from "./use-lead.ts";
import { useSave } from "./use-save.ts";

const PIECES = { pane: oneOf(["timeline", "facts"]) };

/** A living lead: its head, its facts, and its story beside them; on a phone one of both. */
export function LeadHome({ lead, place }: { lead: Lead; place: string }) {
  const words = useWords(LEAD_WORDS);
  const [{ pane }, setPane] = useAddressState(PIECES);
  const [editing, setEditing] = useState<string>();
  const mayWrite = useMay("leads:write");
  const { facts, isPending, error, again } = useReadFieldFacts();
  const changes = useChanges(lead.id);
  const { save, conflict, settle } = useSave(lead.id);
  const edit = (field?: string) => {
    if (field !== undefined && pane !== "facts") setPane({ pane: "facts" }, { replace: true });
    setEditing(field);
  };
  useShortcut("e", words.edit, () => edit("name"), { enabled: mayWrite });
  const here = useMemo<LeadHere>(
    () => ({ ...facts, lead, mayWrite, changes: changes.data?.events, save }),
    [facts, lead, mayWrite, changes.data, save],
  );
  return (
    <FieldFactsContext value={facts}>
      <LeadContext value={here}>
        <LeadHead place={place} />
        {!mayWrite && (
          <Alert variant="light" mb="md">
            {words.readOnly}
          </Alert>
        )}
        <SegmentedControl
          className={styles.panes}
          fullWidth
          mb="md"
          aria-label={words.shownAs}
          value={pane}
          onChange={(next) => setPane({ pane: next === "facts" ? "facts" : "timeline" }, { replace: true })}
          data={[
            { value: "timeline", label: words.timeline },
            { value: "facts", label: words.facts },
          ]}
        />
        <div className={styles.home} data-pane={pane}>
          <div className={styles.side}>
            {error !== null && <Problem error={error} again={again} />}
            {isPending ? <Waiting lines={8} /> : <Facts editing={editing} onEdit={edit} />}
            <LinkedRows />
          </div>
          <div className={styles.main}>
            <DuplicatesOf place={place} />
            <Story />
          </div>
        </div>
        {conflict !== undefined && <ConflictDialog conflict={conflict} onSettle={settle} />}
      </LeadContext>
    </FieldFactsContext>
  );
}
