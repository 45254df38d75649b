/** The appearances to choose from in a browser; `auto` follows the system. */
export const LOOKS = ["light", "dark", "auto"] as const;

export type Look = (typeof LOOKS)[number];

/** The cookie with the appearance: the panel writes it, pages read it. It is not a secret. */
export const LOOK_COOKIE = "leadgate_look";

export const isLook = (text: unknown): text is Look => (LOOKS as readonly unknown[]).includes(text);
