import { Button, Group, Paper, SegmentedControl, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { randomId } from "../../api/random-id.ts";
import { useDone } from "../../changes/use-done.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { LEAD_WORDS } from "../context/lead-words.ts";
import { useAddEvent } from "../context/use-add-event.ts";
import { ACTIVITY_WORDS } from "./activity-words.ts";

const LONGEST_NOTE = 12_000;

/** What is typed; `id` is the external id with which it was sent, if the answer did not come. */
interface Typed {
  what: "note" | "task";
  text: string;
  due: string;
  id: string;
}

const NOTHING: Typed = { what: "note", text: "", due: "", id: "" };
const isNothing = ({ text, due }: Typed): boolean => text === "" && due === "";

/** Adds a note or a task to the timeline. */
export function Composer() {
  const { lead } = useLeadHere();
  const words = useWords(ACTIVITY_WORDS);
  const keys = useWords(LEAD_WORDS);
  const record = useAddEvent(lead.id);
  const done = useDone();
  const [{ what, text, due, id }, setTyped] = useDraft(`note/${lead.id}`, NOTHING, isNothing);
  const setWhat = (to: "note" | "task") => setTyped((now) => ({ ...now, what: to }));
  // Another text is another event; the same text keeps the id, so that one that is sent twice is recorded once.
  const setText = (to: string) => setTyped((now) => ({ ...now, text: to, id: "" }));
  const setDue = (to: string) => setTyped((now) => ({ ...now, due: to, id: "" }));
  const form = useRef<HTMLFormElement>(null);
  const wanted = useRef(false);
  const begin = (kind: "note" | "task") => {
    wanted.current = true;
    setWhat(kind);
    focus();
  };
  const focus = () => form.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another form has another first field
  useEffect(() => {
    if (wanted.current) focus();
    wanted.current = false;
  }, [what]);
  useShortcut("n", keys.note, () => begin("note"));
  useShortcut("t", keys.task, () => begin("task"));

  const empty = text.trim() === "";
  const add = (event?: FormEvent) => {
    event?.preventDefault();
    if (empty || record.isPending) return;
    const written =
      what === "note"
        ? { type: "note.added", data: { text: text.trim() } }
        : { type: "task.created", data: { subject: text.trim(), ...(due !== "" && { due }) } };
    const external_id = id || `panel:${randomId()}`;
    setTyped((now) => ({ ...now, id: external_id }));
    record.mutate(
      { ...written, external_id },
      {
        onSuccess: ({ change }) => {
          // What was typed meanwhile stays, also behind what is saved now.
          setTyped((now) => ({
            ...now,
            text: now.text.startsWith(text) ? now.text.slice(text.length) : now.text,
            due: now.due === due ? "" : now.due,
            id: "",
          }));
          done(what === "note" ? words.noteAdded : words.taskAdded, change);
        },
      },
    );
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add(event);
    if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
  };
  return (
    <Paper component="form" p="md" ref={form} onSubmit={add} onKeyDown={onKey}>
      <SegmentedControl
        size="xs"
        mb="sm"
        value={what}
        onChange={(kind) => setWhat(kind === "task" ? "task" : "note")}
        data={[
          { value: "note", label: words.note },
          { value: "task", label: words.task },
        ]}
      />
      {what === "note" ? (
        <Textarea
          data-first
          aria-label={words.notePlace}
          placeholder={words.notePlace}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={LONGEST_NOTE}
          dir="auto"
        />
      ) : (
        <Group align="flex-end" gap="sm">
          <TextInput
            data-first
            label={words.taskWhat}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={300}
            flex="1 1 14rem"
            dir="auto"
          />
          <TextInput
            type="date"
            label={words.due}
            value={due}
            onChange={(event) => setDue(event.currentTarget.value)}
          />
        </Group>
      )}
      <Group justify="space-between" mt="sm">
        <Text size="xs" c="dimmed">
          {words.noteKey}
        </Text>
        <Button type="submit" size="xs" disabled={empty} loading={record.isPending}>
          {what === "note" ? words.addNote : words.addTask}
        </Button>
      </Group>
    </Paper>
  );
}
