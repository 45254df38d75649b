import {
  Alert,
  Button,
  Group,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import type { FormEvent } from "react";
import { Link } from "react-router";
import type { Lead } from "../../../../src/contract/leads/lead.ts";
import type { LeadInput } from "../../../../src/contract/leads/lead-input.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { againIn, mayPass, sentenceOf } from "../../parts/problem.tsx";
import { useGuardedClose } from "../../parts/use-guarded-close.ts";
import { leadName } from "../../words/lead-name.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { useActions, useKnown } from "../list/lead-list-context.ts";
import { CREATE_WORDS } from "./create-words.ts";
import { NEW_LEAD } from "./new-lead-draft.ts";
import { useCreate } from "./use-create.ts";

/** What is typed; `unsure` if it was sent and the answer did not come, so that the lead may be there already. */
interface Typed {
  lead: LeadInput;
  unsure: boolean;
}

const NOTHING: Typed = { lead: {}, unsure: false };

/** Creates a lead by hand. A likely duplicate is shown before a second lead is created. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const words = useWords(CREATE_WORDS);
  const locale = useLocale();
  const { statuses, people } = useKnown();
  const [{ lead: draft, unsure }, setTyped, { isUnsaved, drop }] = useDraft<Typed>(NEW_LEAD, NOTHING);
  const close = () => {
    drop();
    onClose();
  };
  const leave = useGuardedClose(isUnsaved, close);
  const { create, found, again, details, failure } = useCreate(unsure, close, () =>
    setTyped((now) => ({ ...now, unsure: true })),
  );
  /** Empty fields are left out. */
  const set = <Name extends keyof LeadInput>(field: Name, value: LeadInput[Name]) => {
    const next = { ...draft };
    if (value === "" || value === null || (Array.isArray(value) && value.length === 0)) delete next[field];
    else next[field] = value;
    setTyped({ lead: next, unsure });
  };
  const isEnough = (["name", "company", "email", "phone"] as const).some(
    (field) => (draft[field] ?? "").trim() !== "",
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEnough) create.mutate({ draft });
  };
  const faultOf = (field: string) => details.find(({ path }) => path === `$.${field}`)?.message;
  const text = (field: "name" | "company" | "email" | "phone" | "source", more: object = {}) => (
    <TextInput
      label={words[field]}
      value={draft[field] ?? ""}
      maxLength={500}
      error={faultOf(field)}
      onChange={({ currentTarget }) => set(field, currentTarget.value)}
      {...more}
    />
  );
  return (
    <Modal opened onClose={leave} title={words.title} size="lg">
      {found.length > 0 ? (
        <Found
          found={found}
          isBusy={create.isPending}
          onBack={again}
          onComplete={(into) => create.mutate({ draft, into })}
          onAnyway={() => create.mutate({ draft, anyway: true })}
        />
      ) : (
        <form onSubmit={submit} noValidate>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {text("name", { "data-autofocus": true })}
            {text("company")}
            {text("email", { inputMode: "email" })}
            {text("phone", { inputMode: "tel" })}
            <Select
              label={words.status}
              data={[...statuses]}
              value={draft.status ?? statuses[0] ?? ""}
              onChange={(value) => set("status", value ?? "")}
              allowDeselect={false}
            />
            <NumberInput
              label={words.value}
              value={draft.value ?? ""}
              onChange={(value) => set("value", typeof value === "number" ? value : null)}
              decimalSeparator={locale === "pt-BR" ? "," : "."}
              error={faultOf("value")}
              hideControls
            />
            {text("source")}
            <Select
              label={words.owner}
              data={[...people].map(([value, label]) => ({ value, label }))}
              value={draft.owner_id ?? null}
              onChange={(value) => set("owner_id", value)}
              clearable
            />
          </SimpleGrid>
          <TagsInput
            mt="md"
            label={words.tags}
            value={draft.tags ?? []}
            onChange={(value) => set("tags", value)}
            acceptValueOnBlur
          />
          {failure !== undefined && (
            <Alert color="red" variant="light" role="alert" mt="md">
              {sentenceOf(locale, failure)}
            </Alert>
          )}
          <Group mt="xl" justify="flex-end">
            <Text size="sm" c="dimmed" flex={1}>
              {!isEnough && words.something}
            </Text>
            <Button variant="default" onClick={close}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!isEnough}>
              {failure !== undefined && mayPass(failure) ? againIn(locale) : words.create}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}

function Found(found: {
  found: readonly Lead[];
  isBusy: boolean;
  onBack(): void;
  onComplete(lead: Lead): void;
  onAnyway(): void;
}) {
  const words = useWords(CREATE_WORDS);
  const { address } = useActions();
  return (
    <Stack>
      <Alert variant="light" title={words.duplicate} role="alert">
        {words.duplicateWhat}
      </Alert>
      {found.found.map((lead) => (
        <Group key={lead.id} justify="space-between" wrap="nowrap">
          <div>
            <Text fw={600}>
              <bdi>{leadName(lead)}</bdi>
            </Text>
            <Text size="sm" c="dimmed">
              <bdi>{[lead.email, lead.phone, lead.company].filter(Boolean).join(" · ")}</bdi>
            </Text>
          </div>
          <Group gap="xs" wrap="nowrap">
            <Button component={Link} to={address(lead)} size="xs" variant="default">
              {words.open}
            </Button>
            <Button size="xs" loading={found.isBusy} onClick={() => found.onComplete(lead)}>
              {words.complete}
            </Button>
          </Group>
        </Group>
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={found.onBack}>
          {words.cancel}
        </Button>
        <Button variant="light" loading={found.isBusy} onClick={found.onAnyway}>
          {words.anyway}
        </Button>
      </Group>
    </Stack>
  );
}
