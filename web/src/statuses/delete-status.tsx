import { Button, Group, Modal, Select, Text } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import { LEADS, STATUS_WORDS } from "./status-words.ts";
import { useChangeStatuses } from "./use-change-statuses.ts";

/** Asks before a status is deleted, and for the new status of its leads. */
export function DeleteStatus(question: {
  status: string;
  statuses: readonly string[];
  count: number;
  onClose(): void;
}) {
  const { status, statuses, count, onClose } = question;
  const words = useWords(STATUS_WORDS);
  const leads = useWords(LEADS);
  const { number } = useFormat();
  const change = useChangeStatuses();
  const [become, setBecome] = useState<string | null>(null);
  const remove = () => {
    const to = (list: readonly string[]) => list.filter((each) => each !== status);
    const map = become === null ? {} : { map: { [status]: become } };
    change.mutate({ to, ...map, said: words.removed }, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={onClose} title={words.removeTitle} withCloseButton={false}>
      <Text>
        <strong>
          <bdi>{status}</bdi>
        </strong>
        {count > 0 && ` · ${leads(count, number(count))}`}
      </Text>
      <Text c="dimmed" size="sm" mb="md">
        {words.removeWhat}
      </Text>
      {count > 0 && (
        <Select
          label={words.become}
          description={words.choose}
          data={statuses.filter((each) => each !== status)}
          value={become}
          onChange={setBecome}
          allowDeselect={false}
        />
      )}
      <Group mt="xl" justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button
          color="red.8"
          loading={change.isPending}
          disabled={count > 0 && become === null}
          onClick={remove}
        >
          {words.remove}
        </Button>
      </Group>
    </Modal>
  );
}
