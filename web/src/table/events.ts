/** The element that an event was sent to. */
export const elementOf = (target: EventTarget): Element | undefined =>
  target instanceof Element ? target : undefined;

/** Whether Shift was held during a click. */
export const isShifted = (event: Event): boolean => event instanceof MouseEvent && event.shiftKey;
