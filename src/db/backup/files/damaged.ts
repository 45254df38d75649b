/** Thrown if something of a backup or of an archive is missing or is not as it was written; the message names the file. */
export class Damaged extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`The backup is damaged: ${what}`, options);
  }
}
