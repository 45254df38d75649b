import {
  Button,
  Group,
  MultiSelect,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Title,
} from "@mantine/core";
import { type FormEvent, useMemo } from "react";
import { EXPORT_FORMATS } from "../../../src/contract/lists/files.ts";
import { list, oneOf, text, useAddressState } from "../address/use-address-state.ts";
import { useFields, useViews } from "../api/queries.ts";
import { FilterButton } from "../filter/filter-button.tsx";
import { FilterChips } from "../filter/filter-chips.tsx";
import { filterPiece } from "../filter/model/filter-address.ts";
import { sentenceOf } from "../parts/problem.tsx";
import { fieldNames } from "../records/lead-query.ts";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { askedLeads } from "./asked-leads.ts";
import { EXPORT_WORDS } from "./export-words.ts";
import { useCount } from "./use-count.ts";
import { useExportAct } from "./use-exports.ts";

const MARKS = [",", ";", "tab"] as const;
const ADDRESS = {
  filter: filterPiece,
  view: text(),
  format: oneOf(EXPORT_FORMATS),
  columns: list(),
  mark: oneOf(MARKS),
  excel: oneOf(["", "yes"]),
};

/** The form of a new export: leads, columns and file format. Its state is in the URL. */
export function NewExport({ onClose }: { onClose(): void }) {
  const words = useWords(EXPORT_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const [{ filter, view, format, columns, mark, excel }, change] = useAddressState(ADDRESS);
  const fields = useFields();
  const views = useViews();
  const run = useExportAct();
  const chosen = views.data?.views.find(({ id }) => id === view);
  const asked = useMemo(() => askedLeads(chosen, filter), [chosen, filter]);
  const count = useCount(asked);
  const replace = { replace: true };
  const start = (event: FormEvent) => {
    event.preventDefault();
    const csv = { delimiter: mark === "tab" ? ("\t" as const) : mark, bom: excel === "yes" };
    const body = {
      ...asked,
      format,
      ...(columns.length === 0 ? {} : { columns: fieldNames(columns) }),
      ...(format === "csv" ? csv : {}),
    };
    run.mutate({ start: body }, { onSuccess: onClose });
  };
  return (
    <Paper p="md" mb="lg" component="section" aria-label={words.fresh}>
      <form onSubmit={start}>
        <Stack gap="md">
          <Title order={2}>{words.fresh}</Title>
          <Group align="flex-end" gap="sm">
            {(views.data?.views.length ?? 0) > 0 && (
              <Select
                label={words.view}
                {...(chosen !== undefined && filter !== undefined
                  ? { description: words.filterTooView }
                  : {})}
                inputWrapperOrder={["label", "input", "description"]}
                w={{ base: "100%", sm: "20rem" }}
                data={[
                  { value: "none", label: words.viewNone },
                  ...(views.data?.views ?? []).map(({ id, name }) => ({ value: id, label: name })),
                ]}
                value={chosen === undefined ? "none" : view}
                allowDeselect={false}
                searchable
                onChange={(id) => change({ view: id === null || id === "none" ? "" : id }, replace)}
              />
            )}
            <FilterButton value={filter} onChange={(next) => change({ filter: next }, replace)} />
            <Text size="sm" c="dimmed" role="status" pb={8}>
              {count.error !== null
                ? sentenceOf(locale, count.error)
                : count.data === undefined
                  ? words.counting
                  : words.counted(number(count.data.count), count.data.relation === "gte")}
            </Text>
          </Group>
          {filter !== undefined && (
            <FilterChips value={filter} onChange={(next) => change({ filter: next }, replace)} />
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label={words.format}
              data={EXPORT_FORMATS.map((value) => ({ value, label: words[value] }))}
              value={format}
              allowDeselect={false}
              onChange={(value) =>
                change({ format: EXPORT_FORMATS.find((each) => each === value) ?? "csv" }, replace)
              }
            />
            {format === "csv" && (
              <Select
                label={words.delimiter}
                data={[
                  { value: ",", label: words.comma },
                  { value: ";", label: words.semicolon },
                  { value: "tab", label: words.tab },
                ]}
                value={mark}
                allowDeselect={false}
                onChange={(value) => change({ mark: MARKS.find((each) => each === value) ?? "," }, replace)}
              />
            )}
          </SimpleGrid>
          <MultiSelect
            label={words.columns}
            description={words.columnsWhat}
            data={(fields.data?.fields ?? []).map(({ name, label }) => ({ value: name, label }))}
            value={[...columns]}
            searchable
            clearable
            maxDropdownHeight={280}
            onChange={(value) => change({ columns: value }, replace)}
          />
          {format === "csv" && (
            <Switch
              label={words.excel}
              description={words.excelWhat}
              checked={excel === "yes"}
              onChange={(event) => change({ excel: event.currentTarget.checked ? "yes" : "" }, replace)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.close}
            </Button>
            <Button type="submit" loading={run.isPending}>
              {words.start}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
