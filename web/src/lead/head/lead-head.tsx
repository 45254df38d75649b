import { ActionIcon, Badge, Group, Text, Title, Tooltip } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { addressIn } from "../../../../src/core/navigation.ts";
import { IconArrowLeft, IconChevronDown, IconChevronUp } from "../../look/icons.ts";
import { leadAddress } from "../../records/lead.ts";
import { useProject } from "../../session/me.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useFormat } from "../../words/format.ts";
import { leadName } from "../../words/lead-name.ts";
import { useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { LEAD_WORDS, PLACE } from "../context/lead-words.ts";
import styles from "./head.module.css";
import { LeadMenu } from "./lead-menu.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { useNeighbours } from "./use-neighbours.ts";
import { Viewers } from "./viewers.tsx";

/** The lead's name and status, links back to the list and to its neighbours, and its actions. */
export function LeadHead({ place }: { place: string }) {
  const { lead } = useLeadHere();
  const words = useWords(LEAD_WORDS);
  const { id: projectId, name: projectName } = useProject();
  const go = useNavigate();
  const name = leadName(lead) || words.nameless;
  useEffect(() => {
    document.title = `${name} · ${projectName} · Leadgate`;
  }, [name, projectName]);
  const back = addressIn(projectId, place);
  const closing = useOverlay();
  useShortcut("Escape", words.back, () => {
    if (!closing.current) void go(back);
  });
  const about = [lead.job_title, lead.company]
    .filter((each): each is string => typeof each === "string" && each !== name)
    .join(" · ");
  return (
    <header className={styles.head}>
      <div className={styles.bar}>
        <Link to={back} className={styles.back ?? ""}>
          <IconArrowLeft size={16} aria-hidden />
          {words.back}
        </Link>
        <Viewers leadId={lead.id} />
        <Neighbouring place={place} />
      </div>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Group gap="sm">
            <Title order={1} tabIndex={-1} className={styles.name ?? ""} title={name}>
              <bdi>{name}</bdi>
            </Title>
            {lead.do_not_contact === true && (
              <Badge color="red" variant="outline" tt="none" c="var(--warn)">
                {words.noContact}
              </Badge>
            )}
          </Group>
          {about !== "" && (
            <Text c="dimmed" mt={2} lineClamp={2}>
              <bdi>{about}</bdi>
            </Text>
          )}
        </div>
        <LeadMenu place={place} />
      </Group>
      <StatusChoice />
    </header>
  );
}

/** Whether something is open over the screen that handles Escape itself. */
function useOverlay(): { readonly current: boolean } {
  const met = useRef(false);
  useEffect(() => {
    const look = () => {
      met.current = document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
    };
    document.addEventListener("keydown", look, true);
    return () => document.removeEventListener("keydown", look, true);
  }, []);
  return met;
}

function Neighbouring({ place }: { place: string }) {
  const { lead } = useLeadHere();
  const words = useWords(LEAD_WORDS);
  const placeOf = useWords(PLACE);
  const { number } = useFormat();
  const { id: projectId } = useProject();
  const go = useNavigate();
  const near = useNeighbours(lead.id, place);
  const to = (id: string | undefined) =>
    id === undefined ? undefined : () => void go(leadAddress(projectId, id, place), { replace: true });
  const [previous, next] = [to(near?.previous), to(near?.next)];
  useShortcut("k", words.previous, () => previous?.(), { enabled: previous !== undefined });
  useShortcut("j", words.next, () => next?.(), { enabled: next !== undefined });
  if (near === undefined) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" c="dimmed" mr={4}>
        {placeOf(number(near.place), `${number(near.of)}${near.more ? "+" : ""}`)}
      </Text>
      <Way name={words.previous} run={previous}>
        <IconChevronUp size={18} />
      </Way>
      <Way name={words.next} run={next}>
        <IconChevronDown size={18} />
      </Way>
    </Group>
  );
}

const Way = (way: { name: string; run: (() => void) | undefined; children: ReactNode }) => (
  <Tooltip label={way.name}>
    <ActionIcon
      variant="default"
      size={32}
      aria-label={way.name}
      disabled={way.run === undefined}
      onClick={way.run}
    >
      {way.children}
    </ActionIcon>
  </Tooltip>
);
