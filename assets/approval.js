// Shows until when the person can decide, in their own time zone, and counts down. Without this script, the page says it in
// the project's zone.
for (const line of document.querySelectorAll("[data-deadline]")) {
  const deadline = Date.parse(line.dataset.deadline);
  // by the service's clock: the one of this device may be wrong
  const ahead = Date.parse(line.dataset.now) - performance.now();
  const time = line.querySelector("time");
  const { lang } = document.documentElement;
  const until = new Intl.DateTimeFormat(lang, { timeStyle: "medium" }).format(deadline);
  const form = document.querySelector("form.decision");
  const over = document.querySelector("[data-over]");

  const show = () => {
    const left = Math.max(0, Math.ceil((deadline - ahead - performance.now()) / 1_000));
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    time.textContent = `${until} (${clock} ${line.dataset.left})`;
    if (left > 0) return;
    clearInterval(timer);
    line.hidden = true;
    if (form) form.hidden = true;
    if (over) over.hidden = false;
  };
  const timer = setInterval(show, 1_000);
  show();
}
