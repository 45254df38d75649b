import { Alert, SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { oneOf, useAddressState } from "../address/use-address-state.ts";
import { Problem } from "../parts/problem.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { ConflictDialog } from "../records/conflict-dialog.tsx";
import type { Lead } from "../records/lead.ts";
import { FieldFactsContext, useReadFieldFacts } from "../records/project-schema.ts";
import { useChanges } from "../records/use-lead.ts";
import { useSave } from "../records/use-save.ts";
import { useMay } from "../session/me.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords } from "../words/use-words.ts";
import { Story } from "./activity/activity.tsx";
import { LeadContext, type LeadHere } from "./context/lead-context.ts";
import { LEAD_WORDS } from "./context/lead-words.ts";
import { DuplicatesOf } from "./duplicates-of.tsx";
import { LeadHead } from "./head/lead-head.tsx";
import styles from "./lead.module.css";
import { LinkedRows } from "./linked-rows.tsx";
import { Facts } from "./values/lead-values.tsx";

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
