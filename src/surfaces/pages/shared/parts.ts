import type { Locale } from "../../../core/locale.ts";
import { Refusal } from "../../../core/refusal.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { messageIn } from "../../../http/response/refusal-words.ts";
import { retryHeader, statusOf } from "../../../http/response/status.ts";

/** The anti-forgery token as every form carries it. */
export const tokenField = (token: string): Html =>
  html`<input type="hidden" name="form_token" value="${token}">`;

/** What went wrong with a form; nothing when nothing did. */
export const problemLine = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="error" role="alert">${text}</p>`;

/** What was done. */
export const doneLine = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="done" role="status">${text}</p>`;

/** A refusal to show on the form that was sent, with the answer's status and headers. */
export interface Refused {
  problem: string;
  /** What is wrong with single fields, by their names; a form whose fields show this needs no other line. */
  wrong: Readonly<Record<string, string>>;
  status: number;
  headers: Record<string, string>;
}

/** A refusal of what was filled in, for the form to show; what is no fault of the form goes on to the dialect. */
export function refusedForm(locale: Locale, error: unknown): Refused {
  const ofForm = error instanceof Refusal && (!ELSEWHERE.has(error.kind) || error.code === "wrong_password");
  if (!ofForm || error.code === "internal" || error.code === "database_away") throw error;
  const wrong = error.faults.map((fault) => [fault.path.replace("$.", ""), messageIn(locale, fault)]);
  return {
    problem: messageIn(locale, error),
    wrong: Object.fromEntries(wrong),
    status: statusOf(error),
    headers: retryHeader(error),
  };
}

const ELSEWHERE = new Set<Refusal["kind"]>(["unauthenticated", "not_found", "forbidden"]);
