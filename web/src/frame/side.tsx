import { useRef } from "react";
import { NavLink } from "react-router";
import { addressIn, navigationFor } from "../../../src/core/navigation.ts";
import { Icon } from "../parts/icon.tsx";
import { useProject } from "../session/me.ts";
import { useLocale, useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<{ places: string }> = { en: { places: "Places" }, "pt-BR": { places: "Lugares" } };

/** The project's navigation; on a phone it opens over the screen. */
export function Side() {
  const { id, role } = useProject();
  const locale = useLocale();
  const words = useWords(WORDS);
  const side = useRef<HTMLElement>(null);
  const close = () => {
    if (side.current?.matches(":popover-open") === true) side.current.hidePopover();
  };
  return (
    <nav className="lg-side" id="places" popover="auto" aria-label={words.places} ref={side}>
      {navigationFor(role).map(({ name, places }) => (
        <div key={name?.en ?? ""}>
          {name !== undefined && <h2>{name[locale]}</h2>}
          <ul>
            {places.map((place) => (
              <li key={place.path}>
                {place.page === true ? (
                  <a className="lg-place" href={addressIn(id, place.path)}>
                    <Icon name={place.icon} />
                    {place.name[locale]}
                  </a>
                ) : (
                  <NavLink className="lg-place" to={addressIn(id, place.path)} onClick={close}>
                    <Icon name={place.icon} />
                    {place.name[locale]}
                  </NavLink>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
