// Adds a button that copies the code in front of this script. Its words are attributes of the script. Without this
// script, the code can be selected as any text.
{
  const { previousElementSibling: box, dataset: words } = document.currentScript;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = words.copy;
  button.setAttribute("aria-label", `${words.copy}: ${words.of}`);
  const status = document.createElement("span");
  status.className = "copy-status";
  status.setAttribute("role", "status");
  const line = document.createElement("p");
  line.className = "copy-line";
  line.append(button, status);
  box.after(line);

  const select = () => {
    const range = document.createRange();
    range.selectNodeContents(box);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };

  // browsers have no clipboard for pages without https, and people may refuse it
  const copied = async () => {
    try {
      await navigator.clipboard.writeText(box.textContent);
      return true;
    } catch {
      select();
      return document.execCommand("copy");
    }
  };

  let shown;
  button.addEventListener("click", async () => {
    // emptied first, so that the same words are announced again
    status.textContent = "";
    clearTimeout(shown);
    const done = await copied();
    if (!done) select();
    status.textContent = done ? words.copied : words.selected;
    shown = setTimeout(() => {
      status.textContent = "";
    }, 5_000);
  });
}
