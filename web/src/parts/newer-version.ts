const RELOADED = "leadgate-reloaded";
const PAUSE_MS = 5 * 60_000;

const missing = new WeakSet<object>();

/** Whether a part of the panel failed because its file could not be loaded. */
export const isMissingFile = (error: unknown): boolean =>
  typeof error === "object" && error !== null && missing.has(error);

/**
 * When a file of the panel cannot be loaded, reloads the page if the service has a newer version of it: the files of
 * this one are gone. At most once in five minutes, so that versions that alternate behind a proxy reload nothing for
 * ever. Otherwise, such as offline, the screen says what happened and has a button.
 */
export function followNewerVersion(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => {
    missing.add(payload);
    void isNewer().then((newer) => {
      if (newer && mayReload()) location.reload();
    });
  });
}

async function isNewer(): Promise<boolean> {
  const own = document.querySelector('script[src^="/panel/assets/"]')?.getAttribute("src");
  if (own == null) return false;
  try {
    const page = await fetch(location.pathname, { cache: "no-store" });
    return page.ok && !page.redirected && !(await page.text()).includes(own);
  } catch {
    return false;
  }
}

function mayReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < PAUSE_MS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
