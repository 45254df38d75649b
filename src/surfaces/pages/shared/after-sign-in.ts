/** The path to go to after signing in if no other was requested; see pages/start/page.ts. */
export const START = "/start";

/** Returns the path to go to after signing in. */
export const afterSignIn = (to: string): string => (to === "/" ? START : to);
