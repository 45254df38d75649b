import { Anchor, Button, Paper, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Import } from "../../../../src/contract/imports/import.ts";
import type { KeptList } from "../../../../src/contract/imports/import-rows.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { useFillable } from "../columns/use-fillable.ts";
import { REPORT_WORDS } from "../record/report-words.ts";

interface Kept {
  id: string;
  lead?: string;
  reason: keyof typeof REPORT_WORDS.en.reasons;
  fields: string[];
}

/** What an undo kept on a page: leads, or rows of a dataset. */
const keptOf = (page: KeptList): Kept[] =>
  "leads" in page
    ? page.leads.map((kept) => ({ ...kept, id: kept.lead_id, lead: kept.lead_id }))
    : page.rows.map((kept) => ({ ...kept, id: kept.row_id }));

/** What an undo kept, and why. */
export function KeptRecords({ record }: { record: Import }) {
  const words = useWords(REPORT_WORDS);
  const { list } = useFormat();
  const { projectId, call } = useApi();
  const { fields } = useFillable(record);
  const query = useInfiniteQuery({
    queryKey: keyOf(projectId, "imports", "about", record.id, "kept", record.undo),
    queryFn: ({ pageParam, signal }) =>
      call("GET", "/v1/imports/{id}/kept", {
        params: { id: record.id },
        query: { limit: 50, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
  const kept = query.data?.pages.flatMap((page) => keptOf(page)) ?? [];
  return (
    <section>
      <Title order={2} mb="xs">
        {words.kept}
      </Title>
      {query.isPending && <Waiting lines={3} />}
      {query.error !== null && <Problem error={query.error} again={() => void query.refetch()} />}
      {kept.length > 0 && (
        <Paper p="md">
          <ul style={{ margin: 0, paddingInlineStart: "1.25rem" }}>
            {kept.map(({ lead, id, reason, fields: names }) => (
              <li key={id}>
                {lead === undefined ? (
                  <code>{id}</code>
                ) : (
                  <Anchor component={Link} to={addressIn(projectId, `leads/${lead}`)}>
                    <code>{lead}</code>
                  </Anchor>
                )}{" "}
                <Text span size="sm" c="dimmed">
                  {words.reasons[reason]}
                  {names.length > 0 && (
                    <>
                      : <bdi>{list(names.map((name) => fields.get(name)?.label ?? name))}</bdi>
                    </>
                  )}
                </Text>
              </li>
            ))}
          </ul>
          {query.hasNextPage && (
            <Button
              variant="default"
              mt="sm"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {words.more}
            </Button>
          )}
        </Paper>
      )}
    </section>
  );
}
