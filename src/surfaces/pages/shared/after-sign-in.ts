/** The path to go to after signing in when no other was asked for; see pages/start/page.ts. */
export const START = "/start";

/** Where to go on after signing in. */
export const afterSignIn = (to: string): string => (to === "/" ? START : to);
