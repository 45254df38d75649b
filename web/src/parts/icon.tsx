import { ICONS, type IconName } from "../../../src/core/icons.ts";

/** An icon of the frame, which the pages have too; beside words, so that it says nothing to a screen reader. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className="lg-icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);
