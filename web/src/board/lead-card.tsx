import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { memo, useRef } from "react";
import { Link } from "react-router";
import { IconArrowRight } from "../look/icons.ts";
import { useProject } from "../session/me.ts";
import { StatusDot } from "../statuses/status-dot.tsx";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./board.module.css";
import type { BoardLead } from "./board-cards.ts";
import { BOARD_WORDS } from "./board-words.ts";
import { useKeptFocus } from "./use-card-keys.ts";
import { useCardDrag } from "./use-drag.ts";

/** A lead on the board. Its name links to the lead; its menu moves it, as dragging does. */
export const LeadCard = memo(function LeadCard(shown: {
  card: BoardLead;
  owner: string | undefined;
  statuses: readonly string[];
  mayMove: boolean;
  onMove(card: BoardLead, to: string): void;
}) {
  const { card, owner, statuses, mayMove, onMove } = shown;
  const words = useWords(BOARD_WORDS);
  const format = useFormat();
  const { id: project } = useProject();
  const ref = useRef<HTMLDivElement>(null);
  const dragged = useCardDrag(ref, card, mayMove);
  useKeptFocus(ref, card.id);
  const name = card.display_name ?? card.email ?? card.company ?? words.noName;
  const since = card.status_since ?? card.created_at;
  return (
    <div ref={ref} className={styles.card} data-card={card.id} data-dragged={dragged || undefined}>
      <div className={styles.cardHead}>
        <Link to={`/projects/${project}/leads/${card.id}`} draggable={false} className={styles.name}>
          <bdi>{name}</bdi>
        </Link>
        {mayMove && (
          <Menu
            position="bottom-end"
            withInitialFocusPlaceholder={false}
            menuItemTabIndex={0}
            portalProps={{ target: "#content" }}
          >
            <Menu.Target>
              <ActionIcon
                title={words.moveTo}
                variant="subtle"
                color="gray"
                size={24}
                aria-label={`${words.more}: ${name}`}
                data-move
              >
                <IconArrowRight size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {statuses
                .filter((status) => status !== card.status)
                .map((status) => (
                  <Menu.Item
                    key={status}
                    leftSection={<StatusDot statuses={statuses} status={status} />}
                    onClick={() => onMove(card, status)}
                  >
                    <bdi>{status}</bdi>
                  </Menu.Item>
                ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      <div className={styles.line}>
        <bdi>
          {card.display_name === null ? "" : (card.company ?? card.email ?? phoneOf(card, format.phone))}
        </bdi>
      </div>
      <div className={styles.details}>
        {card.value !== null && (
          <span className={styles.value}>{format.money(card.value, card.currency)}</span>
        )}
        {owner !== undefined && (
          <Tooltip label={`${words.owner}: ${owner}`}>
            <span className={styles.owner}>
              <bdi>{owner}</bdi>
            </span>
          </Tooltip>
        )}
        <time dateTime={since} title={`${words.inStatus} ${format.moment(since)}`} className={styles.age}>
          {format.ago(since)}
        </time>
      </div>
    </div>
  );
});

const phoneOf = ({ phone_e164: phone }: BoardLead, write: (phone: string) => string): string =>
  phone === null ? "" : write(phone);
