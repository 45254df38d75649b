/** The name of the draft of a new dataset; the screen opens the dialog again if there is one. */
export const NEW_DATASET = "new-dataset";
