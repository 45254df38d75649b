/** Where one begins who wanted to go nowhere in particular; see home.ts. */
export const START = "/start";

/** Where to go on after signing in. */
export const afterSignIn = (to: string): string => (to === "/" ? START : to);
