import { Button, FileButton, Group, Progress, Text } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import { IconFileImport } from "../../look/icons.ts";
import { done } from "../../parts/toast.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { IMPORT_WORDS } from "../record/import-words.ts";
import styles from "./drop-file.module.css";
import type { UploadProgress } from "./use-upload.ts";

const TYPES = ".csv,.tsv,.txt,.json,.ndjson,.jsonl,.xlsx,text/csv,text/plain,application/json";

/** The area where a file is dropped or chosen, with the upload's progress. */
export function DropFile(drop: {
  progress: UploadProgress | undefined;
  onFile(file: File): void;
  onCancel(): void;
}) {
  const words = useWords(IMPORT_WORDS);
  const { percent } = useFormat();
  const [over, setOver] = useState(false);
  const inside = useRef(0);
  const { progress } = drop;
  if (progress !== undefined)
    return (
      <div className={styles.drop}>
        <Text fw={600}>
          <bdi>{progress.name}</bdi>
        </Text>
        <Progress value={progress.part * 100} w="100%" maw={420} animated aria-label={words.sending} />
        <Text size="sm" c="dimmed" role="status">
          {progress.part < 1
            ? `${words.sending} · ${percent(Math.floor(progress.part * 100) / 100)}`
            : words.reading}
        </Text>
        <Button variant="default" onClick={drop.onCancel}>
          {words.cancel}
        </Button>
      </div>
    );
  const take = (event: DragEvent) => {
    event.preventDefault();
    inside.current = 0;
    setOver(false);
    const [file, ...others] = event.dataTransfer.files;
    if (others.length > 0) done(words.oneFile);
    if (file !== undefined) drop.onFile(file);
  };
  const enter = (by: number) => (event: DragEvent) => {
    event.preventDefault();
    inside.current += by;
    setOver(inside.current > 0);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keyboards
    <div
      className={`${styles.drop} ${over ? styles.over : ""}`}
      onDragEnter={enter(1)}
      onDragLeave={enter(-1)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={take}
    >
      <IconFileImport size={40} stroke={1.25} aria-hidden />
      <Text fw={600}>{words.dropHere}</Text>
      <Group gap="xs">
        <Text c="dimmed">{words.or}</Text>
        <FileButton accept={TYPES} onChange={(file) => file !== null && drop.onFile(file)}>
          {(props) => <Button {...props}>{words.chooseFile}</Button>}
        </FileButton>
      </Group>
      <Text size="sm" c="dimmed" maw="32rem">
        {words.what}
      </Text>
    </div>
  );
}
