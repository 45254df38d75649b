import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { BoardLead } from "./board-cards.ts";

const CARD = Symbol("card");

/** Makes a card draggable; returns whether it is being dragged. */
export function useCardDrag(ref: RefObject<HTMLElement | null>, card: BoardLead, enabled: boolean): boolean {
  const [dragged, setDragged] = useState(false);
  const latest = useRef(card);
  latest.current = card;
  useEffect(() => {
    const element = ref.current;
    if (element === null || !enabled) return;
    return draggable({
      element,
      getInitialData: () => ({ [CARD]: latest.current }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
  }, [ref, enabled]);
  return dragged;
}

/** Makes an element accept dropped cards; returns whether a card of another status is over it. */
export function useCardDrop(
  ref: RefObject<HTMLElement | null>,
  status: string,
  onCard: (card: BoardLead) => void,
): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onCard);
  latest.current = onCard;
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const cardOf = (data: Record<string | symbol, unknown>) => data[CARD] as BoardLead | undefined;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => cardOf(source.data) !== undefined,
      onDragEnter: ({ source }) => setOver(cardOf(source.data)?.status !== status),
      onDragLeave: () => setOver(false),
      onDrop({ source }) {
        setOver(false);
        const card = cardOf(source.data);
        if (card !== undefined) latest.current(card);
      },
    });
  }, [ref, status]);
  return over;
}
