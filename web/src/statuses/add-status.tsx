import { Button, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useDraft } from "../drafts/use-draft.ts";
import { useCommand } from "../shortcuts/commands.ts";
import { useWords } from "../words/use-words.ts";
import { STATUS_WORDS } from "./status-words.ts";
import styles from "./statuses.module.css";
import { useChangeStatuses } from "./use-change-statuses.ts";

/** Adds a status at the end of the list. */
export function AddStatus({ statuses }: { statuses: readonly string[] }) {
  const words = useWords(STATUS_WORDS);
  const change = useChangeStatuses();
  const [name, setName] = useDraft("status/new", "");
  const fresh = name.trim();
  const taken = statuses.includes(fresh);
  useCommand(words.add, () => document.getElementById("new-status")?.focus());
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (fresh === "" || taken) return;
    const to = (list: readonly string[]) => (list.includes(fresh) ? [...list] : [...list, fresh]);
    change.mutate({ to, said: words.added }, { onSuccess: () => setName("") });
  };
  return (
    <form className={styles.add} onSubmit={add}>
      <TextInput
        id="new-status"
        label={words.add}
        placeholder={words.addHint}
        value={name}
        maxLength={60}
        error={taken ? words.taken : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        flex={1}
      />
      <Button
        type="submit"
        loading={change.isPending}
        disabled={fresh === "" || taken}
        className={styles.send}
      >
        {words.add}
      </Button>
    </form>
  );
}
