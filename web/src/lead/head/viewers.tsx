import { Avatar, Group, Text, Tooltip } from "@mantine/core";
import { useViewers } from "../../live/use-viewers.ts";
import { useFormat } from "../../words/format.ts";
import { useWords, type Words } from "../../words/use-words.ts";
import styles from "./head.module.css";

const WORDS: Words<{ viewing(names: string, count: number): string; others(count: number): string }> = {
  en: {
    viewing: (names, count) => `${names} ${count === 1 ? "is" : "are"} viewing this lead`,
    others: (count) => `${count} more`,
  },
  "pt-BR": {
    viewing: (names, count) => `${names} ${count === 1 ? "está" : "estão"} vendo este lead`,
    others: (count) => `mais ${count}`,
  },
};

/** The most people who are shown; the others are only counted. */
const MOST = 3;

/** The colleagues who have the lead open, too. */
export function Viewers({ leadId }: { leadId: string }) {
  const words = useWords(WORDS);
  const { list } = useFormat();
  const viewers = useViewers(leadId);
  const shown = viewers.slice(0, MOST);
  const more = viewers.length - shown.length;
  const names = shown.map(({ name }) => `\u2068${name}\u2069`);
  const text = words.viewing(list(more > 0 ? [...names, words.others(more)] : names), viewers.length);
  return (
    <div role="status" className={styles.viewers}>
      {viewers.length > 0 && (
        <Tooltip label={text}>
          <Group gap={6} wrap="nowrap">
            <Avatar.Group aria-hidden>
              {shown.map(({ id, name }) => (
                <Avatar key={id} name={name} size={26} />
              ))}
              {more > 0 && <Avatar size={26}>+{more}</Avatar>}
            </Avatar.Group>
            <Text size="sm" truncate miw={0}>
              {text}
            </Text>
          </Group>
        </Tooltip>
      )}
    </div>
  );
}
