import { Anchor, Button, Paper, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { addressIn } from "../../../../src/core/navigation.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { queryString } from "../../api/request.ts";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { useFillable } from "../columns/use-fillable.ts";
import type { ImportRecord } from "../record/import-record.ts";
import { REPORT_WORDS } from "../record/report-words.ts";

interface Kept {
  lead_id?: string;
  row_id?: string;
  reason: string;
  fields: string[];
}

interface KeptPage {
  leads?: Kept[];
  rows?: Kept[];
  next_cursor: string | null;
}

/** What an undo kept, and why. */
export function KeptList({ record }: { record: ImportRecord }) {
  const words = useWords(REPORT_WORDS);
  const { list } = useFormat();
  const { projectId, get } = useApi();
  const { fields } = useFillable(record);
  const query = useInfiniteQuery({
    queryKey: keyOf(projectId, "imports", "about", record.id, "kept", record.undo),
    queryFn: ({ pageParam, signal }) =>
      get<KeptPage>(`/v1/imports/${record.id}/kept${queryString({ limit: 50, cursor: pageParam })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
  const kept = query.data?.pages.flatMap(({ leads, rows }) => leads ?? rows ?? []) ?? [];
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
            {kept.map(({ lead_id: lead, row_id: row, reason, fields: names }) => (
              <li key={lead ?? row}>
                {lead === undefined ? (
                  <code>{row}</code>
                ) : (
                  <Anchor component={Link} to={addressIn(projectId, `leads/${lead}`)}>
                    <code>{lead}</code>
                  </Anchor>
                )}{" "}
                <Text span size="sm" c="dimmed">
                  {words.reasons[reason] ?? reason}
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
