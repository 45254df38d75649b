import { Alert, Button, Paper, Stack } from "@mantine/core";
import { useState } from "react";
import type { CustomField } from "../../../src/contract/fields/fields.ts";
import { draftsUnder } from "../drafts/draft-store.ts";
import { useDraftPlace } from "../drafts/use-draft.ts";
import { IconPlus } from "../look/icons.ts";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useMay } from "../session/me.ts";
import { useCommand } from "../shortcuts/commands.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords } from "../words/use-words.ts";
import { DeleteField } from "./delete-field.tsx";
import { FieldForm, fieldDraft } from "./field-form.tsx";
import { FieldList } from "./field-list.tsx";
import { FIELD_WORDS } from "./field-words.ts";
import { useOwnFields } from "./own-field.ts";
import { StandardFields } from "./standard-fields.tsx";
import { UntrackedFields } from "./untracked-fields.tsx";

type Open = { what: "create" } | { what: "edit" | "remove"; field: CustomField };

const CREATE: Open = { what: "create" };

/** The project's fields: custom, standard and untracked ones. */
export function Screen() {
  const words = useWords(FIELD_WORDS);
  const mayChange = useMay("schema:write");
  const { data, error, isPending, refetch } = useOwnFields();
  const place = useDraftPlace();
  const [kept, setKept] = useState(() =>
    mayChange ? [...draftsUnder(place, fieldDraft()).keys()][0] : undefined,
  );
  const [chosen, setOpen] = useState<Open>();
  const close = () => {
    setKept(undefined);
    setOpen(undefined);
  };
  // what was typed before a reload is shown again
  const edited = data?.fields.find(({ key }) => key === kept);
  const open =
    chosen ??
    (kept === "" ? CREATE : edited === undefined ? undefined : { what: "edit" as const, field: edited });
  const create = () => setOpen(CREATE);
  useCommand(words.create, mayChange ? create : undefined);
  useShortcut("c", words.create, create, { enabled: mayChange });
  const button = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={create}>
      {words.create}
    </Button>
  );
  const fields = data?.fields ?? [];
  return (
    <Page title={words.title} lead={words.lead} actions={fields.length > 0 && button}>
      {isPending && <Waiting lines={5} />}
      {error !== null && <Problem error={error} again={() => void refetch()} />}
      {data !== undefined && (
        <Stack gap="lg">
          {!mayChange && <Alert variant="light">{words.readOnly}</Alert>}
          <Paper>
            {fields.length === 0 ? (
              <Empty icon="fields" title={words.none} actions={button}>
                {words.noneWhat}
              </Empty>
            ) : (
              <FieldList
                fields={fields}
                mayChange={mayChange}
                onEdit={(field) => setOpen({ what: "edit", field })}
                onRemove={(field) => setOpen({ what: "remove", field })}
              />
            )}
          </Paper>
          <UntrackedFields mayChange={mayChange} />
          <StandardFields />
        </Stack>
      )}
      {open?.what === "create" && <FieldForm fields={fields} onClose={close} />}
      {open?.what === "edit" && <FieldForm fields={fields} field={open.field} onClose={close} />}
      {open?.what === "remove" && <DeleteField field={open.field} onClose={close} />}
    </Page>
  );
}
