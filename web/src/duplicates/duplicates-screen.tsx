import { Alert, Button, Paper, SegmentedControl, Stack } from "@mantine/core";
import { Link } from "react-router";
import { LIKENESSES } from "../../../src/contract/lists/duplicates.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { SCREENS } from "../../../src/core/panel.ts";
import { oneOf, useAddressState } from "../address/use-address-state.ts";
import { usePages } from "../api/queries.ts";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { ProjectSchemaContext, useReadProjectSchema } from "../records/project-schema.ts";
import { useMay, useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import { DUPLICATE_WORDS } from "./duplicate-words.ts";
import { GroupCard } from "./group-card.tsx";

const PIECES = { by: oneOf(LIKENESSES) };
const PAGE = 50;

const screens: readonly string[] = SCREENS;

/** Groups of leads that look like the same person, to be merged. */
export function Screen() {
  const words = useWords(DUPLICATE_WORDS);
  const [{ by }, change] = useAddressState(PIECES);
  const { id: projectId } = useProject();
  const mayWrite = useMay("leads:write");
  const { schema } = useReadProjectSchema();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages(
    "duplicates",
    "/v1/leads/duplicates",
    { query: { by, limit: PAGE } },
  );
  const groups = data?.pages.flatMap((page) => page.groups);
  return (
    <ProjectSchemaContext value={schema}>
      <Page title={words.title} lead={words.lead} wide>
        <SegmentedControl
          mb="md"
          maw="100%"
          style={{ overflowX: "auto" }}
          aria-label={words.by}
          value={by}
          onChange={(next) => change({ by: LIKENESSES.find((each) => each === next) ?? "email" })}
          data={LIKENESSES.map((value) => ({ value, label: words[value] }))}
        />
        {isPending && <Waiting lines={5} />}
        {error !== null && <Problem error={error} again={() => void refetch()} />}
        {groups?.length === 0 && (
          <Paper>
            <Empty
              icon="duplicates"
              title={words.none}
              actions={
                screens.includes("imports") && (
                  <Button variant="default" component={Link} to={addressIn(projectId, "imports")}>
                    {words.import}
                  </Button>
                )
              }
            >
              {words.noneWhat}
            </Empty>
          </Paper>
        )}
        {groups !== undefined && groups.length > 0 && (
          <Stack>
            {!mayWrite && <Alert variant="light">{words.readOnly}</Alert>}
            {groups.map((group) => (
              <GroupCard key={group.leads[0]?.id} group={group} by={by} mayWrite={mayWrite} />
            ))}
            {hasNextPage && (
              <Button
                variant="default"
                loading={isFetchingNextPage}
                onClick={() => void fetchNextPage()}
                style={{ alignSelf: "start" }}
              >
                {words.more}
              </Button>
            )}
          </Stack>
        )}
      </Page>
    </ProjectSchemaContext>
  );
}
