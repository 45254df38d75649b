/** How the service looks to a person in this browser; `auto` follows their system. */
export const LOOKS = ["light", "dark", "auto"] as const;

export type Look = (typeof LOOKS)[number];

/** The cookie in which the browser keeps the look: the panel writes it, pages read it. It is no secret. */
export const LOOK_COOKIE = "leadgate_look";

export const isLook = (text: unknown): text is Look => (LOOKS as readonly unknown[]).includes(text);
