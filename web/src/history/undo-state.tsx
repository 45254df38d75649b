import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import type { Change } from "../../../src/contract/changes/change.ts";
import { UNDO_WORDS } from "../changes/undo-words.ts";
import { historyAddress } from "../changes/use-undo.ts";
import { IconArrowBackUp } from "../look/icons.ts";
import { useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import { HISTORY_WORDS, IRREVERSIBLE_WORDS } from "./history-words.ts";
import { UndoDialog } from "./undo-dialog.tsx";

/** The button that undoes a change, for who may; `of` is what the change did. */
export function UndoButton({ change, of }: { change: Change; of: string }) {
  const undo = useWords(UNDO_WORDS);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArrowBackUp size={14} />}
        aria-label={`${undo.undo}: ${of}`}
        onClick={() => setAsking(true)}
      >
        {undo.undo}
      </Button>
      {asking && <UndoDialog change={change} of={of} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Whether the person is offered an undo of the change. The service checks again. */
export function useMayUndo(): (change: Change) => boolean {
  const { permissions } = useProject();
  return ({ kind, reversible, may_undo: may }) => {
    const isSchema = /^(field|statuses|untracked_fields)\./.test(kind);
    const isRows = /^(row|dataset)\./.test(kind);
    const needed = isSchema ? "schema:write" : isRows ? "datasets:write" : "leads:write";
    return reversible && may && permissions.includes(needed);
  };
}

/** The undo of a change, or why there is none. */
export function UndoState({ change, of }: { change: Change; of: string }) {
  const words = useWords(HISTORY_WORDS);
  const reasons = useWords(IRREVERSIBLE_WORDS);
  const { id: project, role } = useProject();
  const mayUndo = useMayUndo();
  if (mayUndo(change)) return <UndoButton change={change} of={of} />;
  const { irreversible, undone_by: by } = change;
  const why =
    irreversible === null ? (role === "viewer" ? words.readOnly : words.notMine) : reasons[irreversible];
  return (
    <Text size="sm" c="dimmed" maw="20rem">
      {why}{" "}
      {by !== null && (
        <Anchor component={Link} to={historyAddress(project, by)} inherit underline="always">
          {words.undoneBy}
        </Anchor>
      )}
    </Text>
  );
}
