/** The name of the draft of a new lead; the screen opens the dialog again if there is one. */
export const NEW_LEAD = "new-lead";
