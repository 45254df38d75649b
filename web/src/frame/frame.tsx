import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Outlet, useLocation, useNavigation, useParams } from "react-router";
import { useLeaveGuard } from "../parts/use-leave-guard.ts";
import { ProjectContext, useMe } from "../session/me.ts";
import { useSession } from "../session/session.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { Busy } from "./busy.tsx";
import { NoSuchProject } from "./elsewhere.tsx";
import { Progress } from "./progress.tsx";
import { Side } from "./side.tsx";
import { SignedOut } from "./signed-out.tsx";
import { Top } from "./top.tsx";

const Palette = lazy(() => import("./palette.tsx"));
const ShortcutHelp = lazy(() => import("../shortcuts/shortcut-help.tsx"));

const WORDS: Words<{ skip: string; find: string; help: string }> = {
  en: {
    skip: "Skip to the content",
    find: "Search leads, pages and commands",
    help: "Show keyboard shortcuts",
  },
  "pt-BR": {
    skip: "Ir para o conteúdo",
    find: "Buscar leads, páginas e comandos",
    help: "Mostrar atalhos do teclado",
  },
};

/** The layout around every screen: top bar, navigation and the dialogs over them. */
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
  useLeaveGuard();
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
      <Busy />
      {over && <SignedOut />}
    </ProjectContext>
  );
}

/** Moves the focus to the heading of a new screen, so that screen readers announce it; not on the first load. */
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
