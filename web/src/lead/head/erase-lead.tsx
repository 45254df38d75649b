import { Button, Checkbox, Group, Modal, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import type { Lead } from "../../../../src/contract/leads/lead.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { done, failed } from "../../parts/toast.ts";
import { leadName } from "../../words/lead-name.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { LEAD_WORDS } from "../context/lead-words.ts";

/** The name that the person must type: on one line and without invisible characters. */
const typedName = (name: string): string =>
  name
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 60)
    .toWellFormed()
    .trim();

/** Asks an owner to type the lead's name before it is erased permanently. */
export function EraseLead({ lead, place, onClose }: { lead: Lead; place: string; onClose(): void }) {
  const words = useWords(LEAD_WORDS);
  const locale = useLocale();
  const go = useNavigate();
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const [suppress, setSuppress] = useState(lead.do_not_contact);
  const name = typedName(leadName(lead)) || lead.id;
  const erase = useSubmit({
    mutationFn: () =>
      call("DELETE", "/v1/leads/{id}", { params: { id: lead.id }, query: { erase: true, suppress } }),
    onSuccess: async () => {
      done(words.erased);
      await go(addressIn(projectId, place), { replace: true });
      queries.removeQueries({ queryKey: keyOf(projectId, "leads", "one", lead.id) });
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
    },
    onError: (error) => failed(locale, error, { import_running: words.eraseBusy }),
  });
  const same = typedName(typed) === name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (same) erase.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={words.eraseTitle} withCloseButton={false}>
      <form onSubmit={submit}>
        <Text mb="md">{words.eraseWhat}</Text>
        <TextInput
          label={
            <>
              {words.eraseType}{" "}
              <strong>
                <bdi>{name}</bdi>
              </strong>
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Checkbox
          mt="md"
          label={words.eraseSuppress}
          description={words.eraseSuppressFor}
          checked={suppress}
          disabled={lead.do_not_contact}
          onChange={(event) => setSuppress(event.currentTarget.checked)}
        />
        <Group mt="xl" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" color="red.8" disabled={!same} loading={erase.isPending}>
            {words.erase.replace("…", "")}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
