import { Button, Group, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useDraft } from "../drafts/use-draft.ts";
import { useWords } from "../words/use-words.ts";
import { STATUS_WORDS } from "./status-words.ts";
import { useChangeStatuses } from "./use-change-statuses.ts";

export const renameDraft = (status: string): string => `status/rename/${status}`;

/** Renames a status; its leads stay in it. */
export function RenameStatus(form: { status: string; statuses: readonly string[]; onClose(): void }) {
  const { status, statuses, onClose } = form;
  const words = useWords(STATUS_WORDS);
  const change = useChangeStatuses();
  const [name, setName, { drop }] = useDraft(renameDraft(status), status);
  const close = () => {
    drop();
    onClose();
  };
  const fresh = name.trim();
  const taken = fresh !== status && statuses.includes(fresh);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (fresh === "" || taken) return;
    if (fresh === status) return close();
    const to = (list: readonly string[]) => list.map((each) => (each === status ? fresh : each));
    change.mutate({ to, map: { [status]: fresh }, said: words.renamed }, { onSuccess: close });
  };
  return (
    <form onSubmit={save} onKeyDown={(event) => event.key === "Escape" && close()}>
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label={`${words.name}: ${status}`}
          value={name}
          maxLength={60}
          error={taken ? words.taken : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          ref={(input) => {
            if (input !== null && document.activeElement?.closest("li") !== input.closest("li"))
              input.select();
          }}
        />
        <Button type="submit" loading={change.isPending} disabled={fresh === "" || taken}>
          {words.save}
        </Button>
        <Button variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </Group>
    </form>
  );
}
