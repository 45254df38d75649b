/**
 * Ignores the second click of a double click on a button that submits: the answer to the first one may come in between,
 * and the form then is ready to be sent again.
 */
export function submitOnce(): void {
  document.addEventListener(
    "click",
    (event) => {
      const { target, detail } = event;
      if (detail < 2 || !(target instanceof Element) || target.closest('button[type="submit"]') === null)
        return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}
