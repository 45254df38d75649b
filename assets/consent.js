// A click counts on Allow only if its press starts after the page was visible and focused for 700 ms in a row, so that
// one that was meant for another page or window does not land on it. Without this script, the form works at once.
{
  const WAIT_MS = 700;
  let waits = 0;
  let ready = false;
  let early = false;

  const show = () => {
    for (const button of document.querySelectorAll("[data-guarded]")) {
      if (ready) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
    }
    const status = document.querySelector("[data-ready-status]");
    if (status) status.textContent = ready ? status.dataset.readyStatus : "";
  };

  const restart = () => {
    waits += 1;
    const own = waits;
    ready = false;
    show();
    if (document.visibilityState !== "visible" || !document.hasFocus()) return;
    // a page that is not painted yet was not seen
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (own !== waits) return;
        ready = true;
        show();
      }, WAIT_MS),
    );
  };

  // pressing Enter is a click as well
  const guard = (event) => {
    if ((!ready || early) && event.target.closest?.("[data-guarded]")) event.preventDefault();
  };

  // a button or key may be held until the time is over; a key that is held repeats
  const press = (event) => {
    if (!event.repeat) early = !ready;
  };
  // the click of this press comes first
  const release = () =>
    setTimeout(() => {
      early = false;
    });

  // it is loaded before the page's content, so that no click comes before it
  for (const name of ["click", "auxclick"]) addEventListener(name, guard, true);
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, press, true);
  for (const name of ["pointerup", "pointercancel", "keyup"]) addEventListener(name, release, true);
  for (const name of ["focus", "blur", "pageshow", "pagehide"]) addEventListener(name, restart);
  for (const name of ["visibilitychange", "DOMContentLoaded"]) document.addEventListener(name, restart);
}
