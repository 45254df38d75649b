import { Button, Progress, Text } from "@mantine/core";
import type { Export } from "../../../src/contract/exports.ts";
import { isOngoing } from "../../../src/contract/lists/states.ts";
import { useApi } from "../api/queries.ts";
import { addressOf } from "../api/request.ts";
import { IconDownload } from "../look/icons.ts";
import imports from "../parts/lines.module.css";
import { sizeIn } from "../words/file-size.ts";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { hasFile } from "./export-record.ts";
import { EXPORT_STATES, EXPORT_WORDS } from "./export-words.ts";
import styles from "./exports.module.css";
import { useExportAct } from "./use-exports.ts";

/** An export: its query, its progress and its file. */
export function ExportLine({ record }: { record: Export }) {
  const words = useWords(EXPORT_WORDS);
  const states = useWords(EXPORT_STATES);
  const locale = useLocale();
  const { number, ago, moment } = useFormat();
  const { state, query, actor, created_at: at, format } = record;
  const columns = query.columns ?? query.fields;
  const narrowed = query.filter !== undefined || (query.search ?? "") !== "";
  return (
    <li className={styles.line}>
      <div className={styles.what}>
        <strong>
          {narrowed ? words.some : words.all} · {format.toUpperCase()}
        </strong>
        <span className={imports.note}>
          {columns === undefined ? words.everything : words.columnsOf(number(columns.length))} ·{" "}
          <time dateTime={at} title={moment(at)}>
            {ago(at)}
          </time>
          {actor?.label && (
            <>
              {" "}
              {words.by} <bdi>{actor.label}</bdi>
            </>
          )}
        </span>
      </div>
      <div>
        {isOngoing(record.state) ? (
          <Made record={record} />
        ) : (
          <Text size="sm" c="dimmed">
            {states[state]}
            {state === "done" && ` · ${words.counted(number(record.done), false)}`}
            {record.bytes !== null && ` · ${sizeIn(locale, record.bytes)}`}
            {record.error !== null && (
              <>
                {" · "}
                <bdi>{record.error.message}</bdi>
              </>
            )}
          </Text>
        )}
      </div>
      <End record={record} />
    </li>
  );
}

function Made({ record: { state, done, total } }: { record: Export }) {
  const words = useWords(EXPORT_WORDS);
  const states = useWords(EXPORT_STATES);
  const { number } = useFormat();
  const part = total === null || total === 0 ? undefined : Math.min(1, done / total);
  const far = total === null ? words.madeSo(number(done)) : words.of(number(done), number(total));
  return (
    <>
      <Progress value={part === undefined ? 100 : part * 100} animated aria-label={words.progress} />
      <Text size="sm" c="dimmed" mt={4}>
        {state === "waiting" ? states.waiting : far}
      </Text>
    </>
  );
}

/** The button to cancel the export, or the download of its file. */
function End({ record }: { record: Export }) {
  const words = useWords(EXPORT_WORDS);
  const { projectId } = useApi();
  const { moment, day } = useFormat();
  const run = useExportAct();
  const when = moment(record.created_at);
  return (
    <div className={styles.end}>
      {isOngoing(record.state) && (
        <Button
          size="xs"
          variant="default"
          aria-label={words.cancelOf(when)}
          loading={run.isPending}
          onClick={() => run.mutate({ cancel: record.id })}
        >
          {words.cancel}
        </Button>
      )}
      {hasFile(record) && (
        <>
          {record.expires_at !== null && (
            <Text size="xs" c="dimmed">
              {words.until(day(record.expires_at))}
            </Text>
          )}
          <Button
            component="a"
            size="xs"
            variant="light"
            href={addressOf(projectId, "GET", "/v1/exports/{id}/file", { params: { id: record.id } })}
            download
            aria-label={words.downloadOf(when)}
            leftSection={<IconDownload size={14} />}
          >
            {words.download}
          </Button>
        </>
      )}
      {record.state === "done" && !hasFile(record) && (
        <Text size="sm" c="dimmed">
          {words.expired}
        </Text>
      )}
    </div>
  );
}
