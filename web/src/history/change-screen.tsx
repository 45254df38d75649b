import { Anchor, Button, Group, Paper, Text, Title } from "@mantine/core";
import { Link, useParams } from "react-router";
import type { ChangeDetail } from "../../../src/contract/changes/change.ts";
import { historyAddress } from "../changes/use-undo.ts";
import { IconArrowLeft } from "../look/icons.ts";
import lines from "../parts/lines.module.css";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { ProjectSchemaContext, useReadProjectSchema } from "../records/project-schema.ts";
import { useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./history.module.css";
import { HISTORY_WORDS } from "./history-words.ts";
import { RecordItem } from "./record-item.tsx";
import { ByLine } from "./surface-mark.tsx";
import { UndoState } from "./undo-state.tsx";
import { useChangeRecords } from "./use-history.ts";
import { useTitle } from "./use-title.ts";

/** A change: what it did to each record, and its undo. */
export function Screen() {
  const { change: id = "" } = useParams();
  const words = useWords(HISTORY_WORDS);
  const { data, error, refetch } = useChangeRecords(id);
  const { schema } = useReadProjectSchema();
  const [first] = data?.pages ?? [];
  if (first !== undefined)
    return (
      <ProjectSchemaContext value={schema}>
        <Shown key={id} change={first} />
      </ProjectSchemaContext>
    );
  return (
    <Page title={words.title} wide>
      {error === null ? <Waiting /> : <Problem error={error} again={() => void refetch()} />}
    </Page>
  );
}

function Shown({ change }: { change: ChangeDetail }) {
  const words = useWords(HISTORY_WORDS);
  const { id: project } = useProject();
  const title = useTitle(change);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useChangeRecords(
    change.id,
  );
  const records = data?.pages.flatMap((page) => page.records) ?? [];
  return (
    <>
      <Anchor component={Link} to={historyAddress(project)} className={styles.back ?? ""}>
        <IconArrowLeft size={16} aria-hidden />
        {words.back}
      </Anchor>
      <Page title={title} wide actions={<UndoState change={change} of={title} />}>
        <Group gap="md" mb="md">
          <ByLine change={change} />
          {change.undoes !== null && (
            <Anchor component={Link} to={historyAddress(project, change.undoes)} size="sm">
              {words.undoes}
            </Anchor>
          )}
        </Group>
        {change.about.reason !== undefined && (
          <Text mb="md">
            {words.reason}: <bdi>{change.about.reason}</bdi>
          </Text>
        )}
        <Paper component="section" aria-labelledby="records">
          <Title order={2} fz="sm" id="records" className={styles.head ?? ""}>
            {words.records}
          </Title>
          {records.length === 0 ? (
            <Text c="dimmed" p="md">
              {change.irreversible === "values_gone" ? words.noRecords : words.recordsGone}
            </Text>
          ) : (
            <ol className={lines.list}>
              {records.map((record) => (
                <RecordItem key={`${record.outcome} ${record.kind} ${record.id}`} record={record} />
              ))}
            </ol>
          )}
        </Paper>
        {error !== null && <Problem error={error} again={() => void refetch()} />}
        {hasNextPage && (
          <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.moreRecords}
          </Button>
        )}
      </Page>
    </>
  );
}
