// A second click on a button does not send its form a second time; a page that the browser shows again may send it again.
{
  const sent = new Set();
  addEventListener("submit", (event) => {
    if (sent.has(event.target)) event.preventDefault();
    else if (!event.defaultPrevented) sent.add(event.target);
  });
  addEventListener("pageshow", () => sent.clear());
}
