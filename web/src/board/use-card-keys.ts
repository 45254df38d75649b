import { type KeyboardEvent, type RefObject, useEffect } from "react";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords } from "../words/use-words.ts";
import { BOARD_WORDS } from "./board-words.ts";

const cardAt = (element: Element | null): HTMLElement | null => element?.closest("[data-card]") ?? null;

/** Scrolls all of a card into view: the menu of a button that is out of view would be hidden. */
function show(card: Element): void {
  card.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function focusOn(card: Element | null): void {
  if (card === null) return;
  show(card);
  card.querySelector("a")?.focus({ preventScroll: true });
}

/** The card that lost the focus by moving, and gets it back where it appears. */
let moving: string | undefined;

/** Keeps the focus on a card that is about to move. */
export function keepFocus(id: string): void {
  moving = id;
}

/** Focuses a card that appears after it moved, unless the person focused something else in the meantime. */
export function useKeptFocus(ref: RefObject<HTMLElement | null>, id: string): void {
  useEffect(() => {
    if (moving !== id) return;
    moving = undefined;
    if (document.activeElement === document.body) focusOn(ref.current);
  }, [ref, id]);
}

/** The arrow keys move between cards and columns; `m` opens the menu with the statuses. */
export function useCardKeys(mayMove: boolean): (event: KeyboardEvent) => void {
  const words = useWords(BOARD_WORDS);
  useShortcut(
    "m",
    words.move,
    () => {
      const card = cardAt(document.activeElement);
      if (card === null) return;
      show(card);
      card.querySelector<HTMLElement>("[data-move]")?.click();
    },
    { enabled: mayMove, own: (focused) => cardAt(focused) !== null },
  );
  return (event) => {
    const card = event.target instanceof Element ? cardAt(event.target) : null;
    if (card === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = neighbour(card, event.key);
    if (next === undefined) return;
    event.preventDefault();
    focusOn(next);
  };
}

function neighbour(card: HTMLElement, key: string): Element | null | undefined {
  if (key === "ArrowDown" || key === "ArrowUp") {
    const cards = [...(card.closest("section")?.querySelectorAll("[data-card]") ?? [])];
    return cards[cards.indexOf(card) + (key === "ArrowDown" ? 1 : -1)] ?? null;
  }
  if (key !== "ArrowRight" && key !== "ArrowLeft") return undefined;
  const columns = [...document.querySelectorAll("section[data-status]")];
  const place = columns.indexOf(card.closest("section") ?? card);
  const rest = key === "ArrowRight" ? columns.slice(place + 1) : columns.slice(0, place).reverse();
  const column = rest.find((each) => each.querySelector("[data-card]") !== null);
  return column?.querySelector("[data-card]") ?? null;
}
