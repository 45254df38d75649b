import { Alert, Button, Checkbox, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CustomField } from "../../../src/contract/fields/fields.ts";
import { keyOf, useApi, useRead, useViews } from "../api/queries.ts";
import { useDone } from "../changes/use-done.ts";
import { Problem } from "../parts/problem.tsx";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import { FieldRefused } from "./field-refused.tsx";
import { FORM_WORDS } from "./form-words.ts";
import { useChangeField } from "./use-change-fields.ts";

/** Confirms the deletion of a field, and shows the leads and views that use it. */
export function DeleteField({ field, onClose }: { field: CustomField; onClose(): void }) {
  const words = useWords(FORM_WORDS);
  const { number } = useFormat();
  const change = useChangeField();
  const done = useDone();
  const [agreed, setAgreed] = useState(false);
  const count = useUses(field.key);
  const views = useViews();
  const { data: usage } = useRead("usage", "/v1/usage");
  const named = views.data?.views.filter(({ query }) => names(query, `custom.${field.key}`)) ?? [];
  const leads = count.data?.count ?? 0;
  const known = count.data !== undefined && views.data !== undefined;
  const remove = () =>
    change.mutate(
      { remove: field.key, force: leads + named.length > 0 },
      {
        onSuccess(removed) {
          done(words.removed, removed.change);
          onClose();
        },
      },
    );
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.removeTitle(field.label.slice(0, 60))}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {words.removeWhat} {usage !== undefined && words.removeUndo(usage.changes.kept_days)}
        </Text>
        {count.error !== null && <Problem error={count.error} again={() => void count.refetch()} />}
        {count.error === null && (
          <Alert variant="light" color={leads > 0 ? "red" : "gray"} role="status">
            {!known ? words.counting : leads === 0 ? words.unused : words.used(leads, number(leads))}
          </Alert>
        )}
        {named.length > 0 && (
          <div>
            <Text size="sm">{words.views}</Text>
            <List size="sm" mt={4}>
              {named.slice(0, 10).map(({ id, name }) => (
                <List.Item key={id}>
                  <bdi>{name}</bdi>
                </List.Item>
              ))}
            </List>
          </div>
        )}
        {leads > 0 && (
          <Checkbox
            label={words.lost}
            checked={agreed}
            onChange={(event) => setAgreed(event.currentTarget.checked)}
          />
        )}
        {change.error !== null && <FieldRefused error={change.error} />}
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {words.cancel}
          </Button>
          <Button
            color="red.8"
            loading={change.isPending}
            disabled={!known || (leads > 0 && !agreed)}
            onClick={remove}
          >
            {words.remove}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The number of leads with a value in the field. */
function useUses(key: string) {
  const { projectId, call } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "leads", "with a value", key),
    queryFn: ({ signal }) =>
      call("POST", "/v1/leads/count", {
        body: { filter: { field: `custom.${key}`, op: "is_not_empty" }, exact: true },
        signal,
      }),
    staleTime: 0,
  });
}

/** Whether a view's query uses the field in its filter, columns or sort order. */
function names(value: unknown, name: string): boolean {
  if (value === name) return true;
  return (
    typeof value === "object" && value !== null && Object.values(value).some((each) => names(each, name))
  );
}
