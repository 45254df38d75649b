import { queryClient } from "../api/client.ts";
import { presentMe } from "../session/session.ts";
import { noteAuthor } from "./authors.ts";
import { paced } from "./paced.ts";
import type { LiveEvent, LiveListener, Viewer } from "./stream/live-event.ts";
import { Tab } from "./stream/tab.ts";

/** How long the stream stays after all tabs were hidden, and after the last screen that follows was left. */
const HIDDEN_MS = 60_000;
const LEFT_MS = 5_000;
/** How many events wait for a hidden tab; with more, it reads again what it shows. */
const MOST_HELD = 2_000;
const STALE_MS = 500;

/** What is about leads, and must be read again when it is shown the next time. */
const NOUNS = new Set<unknown>(["leads", "events", "changes", "duplicates", "datasets"]);

/** Follows a project for the screens of this tab, as long as one of them is shown and the tab is visible. */
class Following {
  viewers: readonly Viewer[] = [];
  readonly #listeners = new Set<LiveListener>();
  readonly #watchers = new Set<() => void>();
  readonly #tab: Tab;
  readonly #outdate: () => void;
  #held: LiveEvent[] = [];
  #isRestarted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(projectId: string) {
    const { cursor, at } = endOfPage(projectId);
    const on: LiveListener = {
      event: (event) => this.#take(event),
      restarted: () => this.#restart(),
      viewing: (viewers) => {
        this.viewers = viewers;
        for (const watch of this.#watchers) watch();
      },
    };
    const stale = paced(STALE_MS, () =>
      queryClient.invalidateQueries({
        predicate: ({ queryKey: [project, noun] }) => project === projectId && NOUNS.has(noun),
        type: "inactive",
        refetchType: "none",
      }),
    );
    this.#outdate = stale.ask;
    this.#tab = new Tab({ projectId, personId: presentMe().person.id }, on, cursor, at);
    document.addEventListener("visibilitychange", () => this.#look());
  }

  /** Calls the listener until the returned function is called. */
  follow(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    this.#look();
    return () => {
      this.#listeners.delete(listener);
      this.#look();
    };
  }

  /** Calls `watch` when other people open or leave leads. */
  watch(watch: () => void): () => void {
    this.#watchers.add(watch);
    return () => this.#watchers.delete(watch);
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const isWanted = this.#listeners.size > 0;
    if (isWanted && !document.hidden) {
      this.#tab.start();
      this.#release();
    } else this.#timer = setTimeout(() => this.#tab.stop(), isWanted ? this.#hiddenMs : LEFT_MS);
  }

  /** A stream that tabs do not share is closed at once: it holds one of the browser's six connections to the host. */
  get #hiddenMs(): number {
    return this.#tab.sharesStream ? HIDDEN_MS : 0;
  }

  #take(event: LiveEvent): void {
    noteAuthor(event);
    this.#outdate();
    if (!document.hidden) this.#tell(event);
    else if (this.#held.length < MOST_HELD) this.#held.push(event);
    else this.#isRestarted = true;
  }

  #tell(event: LiveEvent): void {
    for (const listener of this.#listeners) listener.event(event);
  }

  #restart(): void {
    this.#outdate();
    this.#held = [];
    this.#isRestarted = document.hidden;
    if (!document.hidden) for (const listener of this.#listeners) listener.restarted();
  }

  /** Shows a tab that is visible again what happened meanwhile. */
  #release(): void {
    const [held, isRestarted] = [this.#held, this.#isRestarted];
    this.#held = [];
    this.#isRestarted = false;
    if (isRestarted) for (const listener of this.#listeners) listener.restarted();
    else for (const event of held) this.#tell(event);
  }
}

/** The end of the feed when the page was made, if it is of this project. */
function endOfPage(projectId: string): { cursor: string | undefined; at: number } {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="leadgate-feed"]');
  if (meta?.dataset.project !== projectId || meta.content === "")
    return { cursor: undefined, at: Date.now() };
  return { cursor: meta.content, at: performance.timeOrigin };
}

const followings = new Map<string, Following>();

/** The following of a project; it is kept, so that what is cached stays right. */
export function followingOf(projectId: string): Following {
  const known = followings.get(projectId) ?? new Following(projectId);
  followings.set(projectId, known);
  return known;
}
