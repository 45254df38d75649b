import { ICONS, type IconName } from "../../../src/core/icons.ts";

/** An icon that the server's pages use too. It stands next to words, so screen readers skip it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className="lg-icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);
