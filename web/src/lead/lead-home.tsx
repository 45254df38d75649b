import { Alert, SegmentedControl } from "@mantine/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import { oneOf, useAddressState } from "../address/use-address-state.ts";
import { draftsUnder, dropDraft } from "../drafts/draft-store.ts";
import { useUnsaved } from "../drafts/unsaved.ts";
import { useDraftPlace } from "../drafts/use-draft.ts";
import { useReportViewing } from "../live/use-report-viewing.ts";
import { Problem } from "../parts/problem.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { ProjectSchemaContext, useReadProjectSchema } from "../records/project-schema.ts";
import { useChanges } from "../records/use-lead.ts";
import { useMay } from "../session/me.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords } from "../words/use-words.ts";
import { LeadActivity } from "./activity/lead-activity.tsx";
import { LeadContext, type LeadHere } from "./context/lead-context.ts";
import { LEAD_WORDS } from "./context/lead-words.ts";
import { DuplicatesOf } from "./duplicates-of.tsx";
import { LeadHead } from "./head/lead-head.tsx";
import styles from "./lead.module.css";
import { LinkedRows } from "./linked-rows.tsx";
import { useLiveLead } from "./use-live-lead.ts";
import { LeadValues } from "./values/lead-values.tsx";
import { useSaveField } from "./values/use-save-field.ts";
import { ValueConflict } from "./values/value-conflict.tsx";
import { factDraft } from "./values/value-editor.tsx";

const PIECES = { pane: oneOf(["timeline", "facts"]) };

/** A lead that is not deleted: its head, values and activity side by side; on a phone, one at a time. */
export function LeadHome({ lead, place }: { lead: Lead; place: string }) {
  const words = useWords(LEAD_WORDS);
  const [{ pane }, setPane] = useAddressState(PIECES);
  const mayWrite = useMay("leads:write");
  const drafts = useFactDrafts(lead.id, mayWrite);
  const [editing, setEditing] = useState(() => drafts.names[0]);
  const { schema, isPending, error, again } = useReadProjectSchema();
  const changes = useChanges(lead.id);
  useLiveLead(lead.id);
  useReportViewing(lead.id);
  const { save, conflict, settle } = useSaveField(lead.id);
  const edit = (field?: string) => {
    if (field !== undefined && pane !== "facts") setPane({ pane: "facts" }, { replace: true });
    setEditing(field);
  };
  // what was typed before a reload is shown again
  const arrive = useRef(() => edit(editing));
  useEffect(() => arrive.current(), []);
  useShortcut("e", words.edit, () => edit("name"), { enabled: mayWrite });
  const here = useMemo<LeadHere>(
    () => ({ ...schema, lead, mayWrite, changes: changes.data?.events, save }),
    [schema, lead, mayWrite, changes.data, save],
  );
  return (
    <ProjectSchemaContext value={schema}>
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
            {isPending ? (
              <Waiting lines={8} />
            ) : (
              <LeadValues editing={editing} unsaved={drafts.names} onEdit={edit} />
            )}
            <LinkedRows />
          </div>
          <div className={styles.main}>
            <DuplicatesOf place={place} />
            <LeadActivity />
          </div>
        </div>
        {conflict !== undefined && <ValueConflict conflict={conflict} onSettle={settle} />}
      </LeadContext>
    </ProjectSchemaContext>
  );
}

/** The fields of the lead with text that is not saved, also of editors that were left for another one. */
function useFactDrafts(leadId: string, mayWrite: boolean): { names: readonly string[] } {
  const place = useDraftPlace();
  const names = mayWrite ? [...draftsUnder(place, factDraft(leadId)).keys()] : [];
  const discard = useCallback(() => {
    for (const name of draftsUnder(place, factDraft(leadId)).keys())
      dropDraft(place, factDraft(leadId, name));
  }, [place, leadId]);
  useUnsaved(names.length > 0, discard);
  return { names };
}
