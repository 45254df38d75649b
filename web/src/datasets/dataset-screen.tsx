import { ActionIcon, Button, Menu, Tabs } from "@mantine/core";
import { Link, useNavigate, useParams } from "react-router";
import type { Dataset } from "../../../src/contract/datasets/dataset.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { oneOf, useAddressState } from "../address/use-address-state.ts";
import { IconArrowLeft, IconDots, IconTrash } from "../look/icons.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { done, failed } from "../parts/toast.ts";
import { SURE } from "../parts/use-leave-guard.ts";
import { Waiting } from "../parts/waiting.tsx";
import { useMay, useProject } from "../session/me.ts";
import { useFormat } from "../words/format.ts";
import { ROW_COUNT } from "../words/row-count.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { ApiTab } from "./api-tab.tsx";
import { RowsTab } from "./grid/rows-tab.tsx";
import { REFUSALS } from "./model/dataset-faults.ts";
import { ROW_WORDS } from "./model/row-words.ts";
import { useDataset, useRowCount } from "./model/use-datasets.ts";
import { ChangeNotice } from "./schema/change-notice.tsx";
import { SchemaTab } from "./schema/schema-tab.tsx";
import { SCHEMA_WORDS } from "./schema/schema-words.ts";
import { useChangeDataset } from "./schema/use-change-dataset.ts";
import { useSchemaDraft } from "./schema/use-schema-draft.ts";

const TABS = ["rows", "columns", "api"] as const;
const ADDRESS = { tab: oneOf(TABS) };

/** A dataset: its rows, its columns and its API. */
export function Screen() {
  const words = useWords(ROW_WORDS);
  const { dataset: id = "" } = useParams();
  const { id: project } = useProject();
  const mayWrite = useMay("datasets:write");
  const { data: dataset, error, isPending, refetch } = useDataset(id);
  const back = (
    <Button
      component={Link}
      to={addressIn(project, "datasets")}
      variant="subtle"
      color="gray"
      c="var(--quiet)"
      leftSection={<IconArrowLeft size={16} />}
    >
      {words.back}
    </Button>
  );
  return (
    <Page
      title={dataset?.name ?? words.back}
      wide
      actions={
        <>
          {back}
          {dataset !== undefined && mayWrite && <More dataset={dataset} />}
        </>
      }
    >
      {isPending && <Waiting />}
      {error !== null && dataset === undefined && <Problem error={error} again={() => void refetch()} />}
      {dataset !== undefined && <Parts key={dataset.id} dataset={dataset} />}
    </Page>
  );
}

/** The tabs of a dataset. */
function Parts({ dataset }: { dataset: Dataset }) {
  const words = useWords(ROW_WORDS);
  const [{ tab }, change] = useAddressState(ADDRESS);
  const typed = useSchemaDraft(dataset);
  return (
    <>
      <ChangeNotice dataset={dataset} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(to) => change({ tab: TABS.find((each) => each === to) ?? "rows" })}
      >
        <Tabs.List mb="md" aria-label={words.parts}>
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {words[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="rows">
          <RowsTab dataset={dataset} />
        </Tabs.Panel>
        <Tabs.Panel value="columns" keepMounted>
          <SchemaTab dataset={dataset} typed={typed} />
        </Tabs.Panel>
        <Tabs.Panel value="api">
          <ApiTab dataset={dataset} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** The menu with rare actions, such as deleting the dataset after a confirmation. */
function More({ dataset }: { dataset: Dataset }) {
  const words = useWords(ROW_WORDS);
  const schema = useWords(SCHEMA_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const confirm = useConfirm();
  const go = useNavigate();
  const { id: project } = useProject();
  const { remove } = useChangeDataset();
  const { data: count } = useRowCount(dataset.id);
  const ask = async () => {
    const what = (
      <>
        <p>
          <strong>
            <bdi>{dataset.name}</bdi>
          </strong>
          {count !== undefined && ` · ${ROW_COUNT[locale](number(count.count), count.relation === "gte")}`}
        </p>
        <ul>
          <li>{schema.deleteGone}</li>
          {dataset.lead_link !== null && <li>{schema.deleteLeads}</li>}
          <li>{schema.deleteImports}</li>
        </ul>
      </>
    );
    if (!(await confirm({ title: schema.deleteTitle, what, action: schema.deleteAction, danger: true })))
      return;
    remove.mutate(dataset.id, {
      onSuccess() {
        done(schema.deleted);
        void go(addressIn(project, "datasets"), { replace: true, state: SURE });
      },
      onError: (error) => failed(locale, error, REFUSALS[locale]),
    });
  };
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={words.more} loading={remove.isPending}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item color="red.8" leftSection={<IconTrash size={16} />} onClick={() => void ask()}>
          {words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
