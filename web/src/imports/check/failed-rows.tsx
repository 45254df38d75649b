import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import type { ErrorKind } from "../../../../src/contract/imports/import-rows.ts";
import type { Piece } from "../../address/piece.ts";
import { useAddressState } from "../../address/use-address-state.ts";
import { useApi } from "../../api/queries.ts";
import { addressOf } from "../../api/request.ts";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { CHECK_WORDS } from "./check-words.ts";
import { FixGrid } from "./fix-grid.tsx";
import { mayFix } from "./fixed-file.ts";
import type { Fixes } from "./fixes.ts";
import { KindChoice } from "./kind-choice.tsx";
import { useFailures, useKinds } from "./use-failures.ts";

type Chosen = Pick<ErrorKind, "column" | "code"> | undefined;

/** A type of error in the URL: its code and its column. */
const kindPiece: Piece<Chosen> = {
  read(given) {
    const cut = given?.indexOf(":") ?? -1;
    return given === null || cut < 1
      ? undefined
      : { code: given.slice(0, cut), column: given.slice(cut + 1) };
  },
  write: (kind) => (kind === undefined ? null : `${kind.code}:${kind.column}`),
};
const ADDRESS = { kind: kindPiece };

/** The failed rows by type of error, with cells to correct. */
export function FailedRows(rows: {
  record: Import;
  title: string;
  lead: string;
  fixes: Fixes;
  onFixes(fixes: Fixes): void;
  action?: ReactNode;
}) {
  const { record, fixes, onFixes } = rows;
  const words = useWords(CHECK_WORDS);
  const { number } = useFormat();
  const { projectId } = useApi();
  const [{ kind }, change] = useAddressState(ADDRESS);
  const kinds = useKinds(record);
  const failures = useFailures(record, kind);
  const shown = useMemo(() => failures.data?.pages.flatMap(({ errors }) => errors) ?? [], [failures.data]);
  const fixed = Object.keys(fixes).length;
  return (
    <Stack gap="md" component="section">
      <div>
        <Title order={2}>{rows.title}</Title>
        <Text c="dimmed">{mayFix(record) ? rows.lead : words.notHere}</Text>
      </div>
      {kinds.data !== undefined && (
        <KindChoice
          kinds={kinds.data.kinds}
          chosen={kind}
          onChoose={(to) => change({ kind: to }, { replace: true })}
        />
      )}
      {failures.error !== null && <Problem error={failures.error} again={() => void failures.refetch()} />}
      {failures.isPending && <Waiting lines={4} />}
      {failures.data !== undefined && (
        <Paper>
          {shown.length === 0 ? (
            <Text p="md" c="dimmed">
              {words.none}
            </Text>
          ) : (
            <FixGrid
              record={record}
              failures={shown}
              fixes={fixes}
              {...(mayFix(record) ? { onFixes } : {})}
            />
          )}
        </Paper>
      )}
      <Group justify="space-between">
        <Group gap="xs">
          {failures.hasNextPage && (
            <Button
              variant="default"
              loading={failures.isFetchingNextPage}
              onClick={() => void failures.fetchNextPage()}
            >
              {words.more}
            </Button>
          )}
          <Button
            component="a"
            variant="subtle"
            href={addressOf(projectId, "GET", "/v1/imports/{id}/errors.csv", { params: { id: record.id } })}
            download
          >
            {words.fetch}
          </Button>
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {fixed > 0 && words.fixed(number(fixed))}
          </Text>
          {fixed > 0 && (
            <Button variant="subtle" color="gray" onClick={() => onFixes({})}>
              {words.forget}
            </Button>
          )}
          {rows.action}
        </Group>
      </Group>
    </Stack>
  );
}
