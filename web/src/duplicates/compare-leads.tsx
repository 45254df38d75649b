import { Button, Group, Modal, Radio, Text, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useId, useState } from "react";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import { LongText } from "../parts/long-text.tsx";
import { leadValue } from "../records/lead.ts";
import { useProjectSchema } from "../records/project-schema.ts";
import { useValueText } from "../records/value-text.ts";
import { useFormat } from "../words/format.ts";
import { leadName } from "../words/lead-name.ts";
import { useWords } from "../words/use-words.ts";
import { type Compared, compareFields, preferOf } from "./compare-fields.ts";
import { DUPLICATE_WORDS } from "./duplicate-words.ts";
import styles from "./duplicates.module.css";
import { useMerge } from "./use-merge.ts";

/** Two leads side by side: the person chooses which one to keep, and which values. */
export function CompareLeads(dialog: {
  one: Lead;
  other: Lead;
  onClose(): void;
  onMerged(survivor: string): void;
}) {
  const pair = [dialog.one, dialog.other] as const;
  const { fields } = useProjectSchema();
  const words = useWords(DUPLICATE_WORDS);
  const { moment } = useFormat();
  const { merge } = useMerge();
  const phone = useMediaQuery("(max-width: 40em)");
  const name = useId();
  const [survivor, setSurvivor] = useState<0 | 1>(0);
  const [chosen, setChosen] = useState<Readonly<Record<string, 0 | 1>>>({});
  const [all, setAll] = useState(false);
  const lines = compareFields(...pair, fields.values());
  const same = lines.filter((line) => line.same);
  const shown = lines.filter((line) => all || !line.same);
  const begin = () => {
    const other = survivor === 0 ? 1 : 0;
    merge.mutate(
      { survivor: pair[survivor].id, other: pair[other].id, prefer: preferOf(lines, survivor, chosen) },
      { onSuccess: () => dialog.onMerged(pair[survivor].id) },
    );
  };
  return (
    <Modal opened onClose={dialog.onClose} title={words.mergeTitle} size={860} fullScreen={phone === true}>
      <Text c="dimmed" size="sm" mb="md">
        {words.mergeWhat}
      </Text>
      <table className={styles.compare}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            {([0, 1] as const).map((side) => (
              <th scope="col" key={pair[side].id}>
                <bdi className={styles.clamp}>{leadName(pair[side]) || words.nameless}</bdi>
                <span className={styles.when}>
                  {words.created} {moment(String(pair[side].created_at))}
                </span>
                <Radio
                  size="xs"
                  name={`${name} survivor`}
                  label={words.survives}
                  checked={survivor === side}
                  onChange={() => setSurvivor(side)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <Line
              key={line.field}
              line={line}
              pair={pair}
              group={`${name} ${line.field}`}
              side={line.only ?? chosen[line.field] ?? survivor}
              onChoose={(side) => setChosen({ ...chosen, [line.field]: side })}
            />
          ))}
        </tbody>
      </table>
      {same.length > 0 && (
        <UnstyledButton className={styles.fold} onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? words.hideSame : `${words.same} (${same.length})`}
        </UnstyledButton>
      )}
      <Group justify="flex-end" mt="lg" className={styles.foot}>
        <Button variant="default" onClick={dialog.onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button loading={merge.isPending} onClick={begin}>
          {words.merge}
        </Button>
      </Group>
    </Modal>
  );
}

function Line(row: {
  line: Compared;
  pair: readonly [Lead, Lead];
  group: string;
  side: 0 | 1;
  onChoose(side: 0 | 1): void;
}) {
  const { line, pair, side } = row;
  const { fields } = useProjectSchema();
  const words = useWords(DUPLICATE_WORDS);
  const textOf = useValueText();
  const label = fields.get(line.field)?.label ?? line.field;
  const text = (lead: Lead) =>
    [line.field, ...line.with.filter((each) => each !== "phone_e164" && each !== "currency")]
      .filter((each, place) => place === 0 || leadValue(lead, each) !== null)
      .map((each) => textOf(each, leadValue(lead, each), lead.currency))
      .join(" · ");
  if (line.united) {
    const values = pair.map((lead) => leadValue(lead, line.field));
    // An opt-out applies if either has it.
    const both = values.includes(true) || [
      ...new Set(values.flatMap((value) => (value as string[] | null) ?? [])),
    ];
    return (
      <tr>
        <th scope="row">
          <bdi>{label}</bdi>
        </th>
        <td colSpan={2}>
          <span className={styles.when}>{words.united}</span>
          <LongText text={textOf(line.field, both)} />
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <th scope="row">
        <bdi>{label}</bdi>
      </th>
      {([0, 1] as const).map((each) => (
        <td key={each} data-chosen={side === each && !line.same ? "" : undefined}>
          {line.same ? (
            <LongText text={text(pair[each])} money={line.field === "value"} />
          ) : (
            <Radio
              size="xs"
              name={row.group}
              checked={side === each}
              disabled={line.only !== undefined && line.only !== each}
              onChange={() => row.onChoose(each)}
              label={<LongText text={text(pair[each])} money={line.field === "value"} />}
              aria-label={`${label}: ${text(pair[each]).slice(0, 200)}`}
            />
          )}
        </td>
      ))}
    </tr>
  );
}
