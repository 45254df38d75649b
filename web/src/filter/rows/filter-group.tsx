import { ActionIcon, Button, Menu, Group as Row, SegmentedControl, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { IconDots, IconPlus, IconX } from "../../look/icons.ts";
import { useWords } from "../../words/use-words.ts";
import {
  type Group,
  newCondition,
  newDataset,
  newEvent,
  newGroup,
  newView,
  type Part,
  type Scope,
} from "../model/part.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";
import { useEditing } from "./editing.ts";
import styles from "./rows.module.css";

/** The nesting depth up to which new groups are offered; deeper ones are only shown. */
const DEEPEST = 6;

/** Conditions of which all or any must match, with buttons to add more. */
export function FilterGroup(group: { part: Group; scope: Scope; depth: number; addLabel?: string }) {
  const { part, scope, depth } = group;
  const words = useWords(PANEL_WORDS);
  const { change, Part: Inside } = useEditing();
  const joined = (join: "and" | "or") =>
    change(part.id, (old) => (old.kind === "group" ? { ...old, join } : old));
  return (
    <div className={styles.group} data-depth={depth}>
      {(part.parts.length > 1 || (!part.bare && depth > 0)) && (
        <SegmentedControl
          size="xs"
          aria-label={words.join}
          value={part.join}
          data={[
            { value: "and", label: words.all },
            { value: "or", label: words.any },
          ]}
          onChange={(join) => joined(join === "or" ? "or" : "and")}
          className={styles.join}
        />
      )}
      {part.parts.map((each, i) => (
        <PartFrame key={each.id} part={each} word={i === 0 ? "" : words[part.join]}>
          <Inside part={each} scope={scope} depth={depth + 1} />
        </PartFrame>
      ))}
      <AddPart group={part} scope={scope} depth={depth} label={group.addLabel ?? words.add} />
    </div>
  );
}

/** The frame of a part: the word before it, its "not", its errors, and its actions. */
function PartFrame({ part, word, children }: { part: Part; word: string; children: ReactNode }) {
  const words = useWords(PANEL_WORDS);
  const { change, faultsOf } = useEditing();
  const faults = faultsOf(part.id);
  const setNots = (nots: number) => change(part.id, (old) => ({ ...old, nots }));
  const remove = () => change(part.id, () => undefined);
  return (
    <div className={styles.part}>
      {word !== "" && (
        <Text span className={styles.word}>
          {word}
        </Text>
      )}
      <div className={styles.body} data-wrong={faults.length > 0 || undefined}>
        <div className={styles.inside}>
          {part.nots > 0 && (
            <Text span className={styles.not}>
              {Array.from({ length: part.nots }, () => words.not).join(" ")}
            </Text>
          )}
          {children}
          {faults.map(({ path, code, message }) => (
            <Text key={path + code} size="xs" c="var(--warn)" role="alert">
              {message}
            </Text>
          ))}
        </div>
        <Row gap={2} wrap="nowrap" className={styles.acts}>
          <Menu
            position="bottom-end"
            withinPortal={false}
            withInitialFocusPlaceholder={false}
            menuItemTabIndex={0}
          >
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`${words.more} ${nameOf(part, words)}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setNots(part.nots === 0 ? 1 : part.nots - 1)}>
                {part.nots === 0 ? words.negate : words.unnegate}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${words.remove}: ${nameOf(part, words)}`}
            onClick={remove}
          >
            <IconX size={16} />
          </ActionIcon>
        </Row>
      </div>
    </div>
  );
}

const nameOf = (
  part: Part,
  words: Record<"group" | "event" | "dataset" | "view" | "json" | "add", string>,
) =>
  part.kind === "condition" ? part.field || words.add : part.kind === "raw" ? words.json : words[part.kind];

/** Adds a condition; the second button offers the other kinds of parts. */
function AddPart(add: { group: Group; scope: Scope; depth: number; label: string }) {
  const { group, scope, depth } = add;
  const words = useWords(PANEL_WORDS);
  const editing = useEditing();
  const put = (part: Part) => editing.add(group.id, part);
  const deeper = depth < DEEPEST;
  const others: [string, () => Part][] = deeper ? [[words.group, newGroup]] : [];
  if (scope.of === "leads") {
    others.unshift([words.event, newEvent]);
    others.push([words.dataset, newDataset], [words.view, newView]);
  }
  return (
    <Row gap={4}>
      <Button
        id={`add-${group.id}`}
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} />}
        onClick={() => put(newCondition())}
      >
        {add.label}
      </Button>
      {others.length > 0 && (
        <Menu
          position="bottom-start"
          withinPortal={false}
          withInitialFocusPlaceholder={false}
          menuItemTabIndex={0}
        >
          <Menu.Target>
            <ActionIcon size={26} variant="subtle" aria-label={words.addMore}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(([label, make]) => (
              <Menu.Item key={label} onClick={() => put(make())}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Row>
  );
}
