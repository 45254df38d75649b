import { Alert, Button, Paper } from "@mantine/core";
import { lazy, Suspense } from "react";
import { oneOf, useAddressState } from "../address/use-address-state.ts";
import { IconFileExport } from "../look/icons.ts";
import { Empty } from "../parts/empty.tsx";
import imports from "../parts/lines.module.css";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useMayExport } from "../session/me.ts";
import { useCommand } from "../shortcuts/commands.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords } from "../words/use-words.ts";
import { ExportLine } from "./export-line.tsx";
import { EXPORT_WORDS } from "./export-words.ts";
import { useExports } from "./use-exports.ts";

const NewExport = lazy(async () => ({ default: (await import("./new-export.tsx")).NewExport }));

const ADDRESS = { new: oneOf(["", "yes"]) };

/** The history of exports, each with its file, and the form for a new one. */
export function Screen() {
  const words = useWords(EXPORT_WORDS);
  const may = useMayExport();
  const [{ new: making }, change] = useAddressState(ADDRESS);
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useExports();
  const open = () => change({ new: "yes" });
  useCommand(words.fresh, may ? open : undefined);
  useShortcut("c", words.fresh, open, { enabled: may });
  const all = data?.pages.flatMap((page) => page.exports) ?? [];
  const button = (
    <Button leftSection={<IconFileExport size={16} />} onClick={open}>
      {words.fresh}
    </Button>
  );
  if (!may)
    return (
      <Page title={words.title}>
        <Alert variant="light">{words.readOnly}</Alert>
      </Page>
    );
  return (
    <Page title={words.title} lead={words.lead} actions={making === "" && button} wide>
      {making === "yes" && (
        <Suspense fallback={<Waiting lines={4} />}>
          <NewExport onClose={() => change({ new: "" })} />
        </Suspense>
      )}
      {isPending && <Waiting />}
      {error !== null && <Problem error={error} again={() => void refetch()} />}
      {data !== undefined && all.length === 0 && making === "" && (
        <Paper>
          <Empty icon="exports" title={words.none} actions={button}>
            {words.noneWhat}
          </Empty>
        </Paper>
      )}
      {all.length > 0 && (
        <Paper>
          <ol className={imports.list} aria-label={words.list}>
            {all.map((each) => (
              <ExportLine key={each.id} record={each} />
            ))}
          </ol>
        </Paper>
      )}
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </Page>
  );
}
