const LASTS_MS = 1_500;

/** Marks elements for a moment, once they show what changed; style.css says how. */
export function flash(selectors: readonly string[]): void {
  if (selectors.length === 0) return;
  // the queries' listeners run in a later task, and React renders after them
  setTimeout(() => {
    for (const element of selectors.flatMap((each) => [...document.querySelectorAll(each)])) {
      element.setAttribute("data-flash", "");
      setTimeout(() => element.removeAttribute("data-flash"), LASTS_MS);
    }
  }, 50);
}
