/** The views that show answers of tools to the person, by what they show. */
export const VIEWS = { results: "ui://results", lead: "ui://lead", change: "ui://change" } as const;
