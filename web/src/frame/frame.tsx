import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Outlet, useLocation, useNavigation, useParams } from "react-router";
import { ProjectContext, useMe } from "../session/me.ts";
import { useSession } from "../session/session.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { NoSuchProject } from "./elsewhere.tsx";
import { Progress } from "./progress.tsx";
import { Side } from "./side.tsx";
import { SignedOut } from "./signed-out.tsx";
import { Top } from "./top.tsx";

const Palette = lazy(() => import("./palette.tsx"));
const ShortcutHelp = lazy(() => import("../shortcuts/shortcut-help.tsx"));

const WORDS: Words<{ skip: string; find: string; help: string }> = {
  en: { skip: "Skip to the content", find: "Find a place or a command", help: "Show the keyboard shortcuts" },
  "pt-BR": {
    skip: "Ir para o conteúdo",
    find: "Encontrar um lugar ou um comando",
    help: "Mostrar os atalhos do teclado",
  },
};

/** What stands around every screen: the bar above, the places beside, and what opens over them. */
export function Frame() {
  const { project = "" } = useParams();
  const { projects } = useMe();
  const { over } = useSession();
  const words = useWords(WORDS);
  const [finding, setFinding] = useState(false);
  const [helping, setHelping] = useState(false);
  const openFind = () => setFinding(true);
  useShortcut("mod+K", words.find, openFind, { always: true });
  useShortcut("?", words.help, () => setHelping(true));
  useFocusOnArrival();
  const busy = useNavigation().state === "loading";
  if (!projects.some(({ id }) => id === project)) return <NoSuchProject />;
  return (
    <ProjectContext value={project}>
      <a className="lg-skip" href="#content">
        {words.skip}
      </a>
      <Top onFind={openFind} onHelp={() => setHelping(true)} />
      {busy && <Progress />}
      <div className="lg-frame">
        <Side />
        <main className="lg-main" id="content" tabIndex={-1}>
          <Outlet key={project} />
        </main>
      </div>
      <Suspense>
        {finding && <Palette onClose={() => setFinding(false)} onHelp={() => setHelping(true)} />}
        {helping && <ShortcutHelp onClose={() => setHelping(false)} />}
      </Suspense>
      {over && <SignedOut />}
    </ProjectContext>
  );
}

/** Who goes from screen to screen finds the focus on the new one's heading, and hears it; a first load leaves it alone. */
function useFocusOnArrival() {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const heading = document.querySelector<HTMLElement>("#content h1") ?? document.getElementById("content");
    heading?.focus();
  }, [pathname]);
}
