import { addressIn, ownPlaces } from "../../../src/core/navigation.ts";
import { signOut } from "../api/sign-out.ts";
import { Icon } from "../parts/icon.tsx";
import { againIn, sentenceOf } from "../parts/problem.tsx";
import { sayWithButton } from "../parts/undo-toast.tsx";
import { useMayLeave } from "../parts/use-leave-guard.ts";
import { useMe, useProject } from "../session/me.ts";
import { modKey } from "../shortcuts/keys.ts";
import { useLocale, useWords, type Words } from "../words/use-words.ts";
import { LookChoice } from "./look-choice.tsx";

const WORDS: Words<
  Record<"menu" | "project" | "choose" | "every" | "account" | "out" | "still" | "find" | "help", string>
> = {
  en: {
    menu: "Menu",
    project: "Project:",
    choose: "Choose a project",
    every: "All projects",
    account: "Your account:",
    out: "Sign out",
    still: "You are still signed in.",
    find: "Search",
    help: "Keyboard shortcuts",
  },
  "pt-BR": {
    menu: "Menu",
    project: "Projeto:",
    choose: "Escolha um projeto",
    every: "Todos os projetos",
    account: "Sua conta:",
    out: "Sair",
    still: "Você ainda está conectado.",
    find: "Buscar",
    help: "Atalhos do teclado",
  },
};

/** The top bar, the same as on pages (src/surfaces/pages/shared/frame.ts). Its menus are popovers and need no script. */
export function Top({ onFind, onHelp }: { onFind(): void; onHelp(): void }) {
  const words = useWords(WORDS);
  return (
    <header className="lg-top">
      <button type="button" className="lg-button lg-only-narrow" popoverTarget="places">
        <Icon name="menu" />
        <span className="unseen">{words.menu}</span>
      </button>
      <a className="lg-brand" href="/">
        <img src="/assets/leadgate.svg" alt="" />
        <span className="lg-only-wide">Leadgate</span>
        <span className="unseen lg-only-narrow">Leadgate</span>
      </a>
      <ProjectMenu />
      <span className="lg-gap" />
      <button
        type="button"
        className="lg-button lg-find"
        onClick={onFind}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Icon name="search" />
        <span className="lg-only-wide">{words.find}</span>
        <kbd className="lg-key lg-only-wide">{modKey} K</kbd>
        <span className="unseen lg-only-narrow">{words.find}</span>
      </button>
      <AccountMenu onHelp={onHelp} />
    </header>
  );
}

function ProjectMenu() {
  const words = useWords(WORDS);
  const { projects } = useMe();
  const here = useProject();
  return (
    <>
      <div className="lg-divided">
        <button type="button" className="lg-button" popoverTarget="projects">
          <span className="unseen">{words.project} </span>
          <bdi>{here.name}</bdi>
          <Icon name="choose" />
        </button>
      </div>
      <nav className="lg-sheet-menu lg-at-start" id="projects" popover="auto" aria-label={words.choose}>
        <ul className="lg-plain">
          {projects.map(({ id, name }) => (
            <li key={id}>
              <a className="lg-place" href={addressIn(id, "")} aria-current={id === here.id || undefined}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
        <hr />
        <a className="lg-place" href="/">
          <Icon name="projects" />
          {words.every}
        </a>
      </nav>
    </>
  );
}

function AccountMenu({ onHelp }: { onHelp(): void }) {
  const words = useWords(WORDS);
  const locale = useLocale();
  const { person } = useMe();
  const mayLeave = useMayLeave();
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      sayWithButton(`${words.still} ${sentenceOf(locale, error)}`, againIn(locale), () => void leave());
    }
  };
  return (
    <>
      <button type="button" className="lg-button" popoverTarget="self">
        <Icon name="account" />
        <span className="unseen">{words.account} </span>
        <bdi className="lg-only-wide">{person.name}</bdi>
        <bdi className="unseen lg-only-narrow">{person.name}</bdi>
      </button>
      <div className="lg-sheet-menu lg-at-end" id="self" popover="auto">
        <p>
          <bdi>{person.email}</bdi>
        </p>
        <ul className="lg-plain">
          {ownPlaces(person).map(({ address, icon, name }) => (
            <li key={address}>
              <a className="lg-place" href={address}>
                <Icon name={icon} />
                {name[locale]}
              </a>
            </li>
          ))}
        </ul>
        <hr />
        <LookChoice />
        <button
          type="button"
          className="lg-place"
          popoverTarget="self"
          popoverTargetAction="hide"
          onClick={onHelp}
        >
          <Icon name="help" />
          {words.help}
        </button>
        <hr />
        <button
          type="button"
          className="lg-place"
          popoverTarget="self"
          popoverTargetAction="hide"
          onClick={() => void mayLeave().then((sure) => (sure ? leave() : undefined))}
        >
          <Icon name="out" />
          {words.out}
        </button>
      </div>
    </>
  );
}
