import type { Locale } from "../../../core/locale.ts";
import { Refusal } from "../../../core/refusal.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { messageIn } from "../../../http/response/refusal-words.ts";
import { retryHeader, statusOf } from "../../../http/response/status.ts";

/** Returns the hidden field with the anti-forgery token of a form. */
export const tokenField = (token: string): Html =>
  html`<input type="hidden" name="form_token" value="${token}">`;

/** Returns a form's error message, if there is one. */
export const problemLine = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="error" role="alert">${text}</p>`;

/** Returns a message about what was done, if there is one. */
export const doneLine = (text: string | undefined): Html | undefined =>
  text === undefined ? undefined : html`<p class="done" role="status">${text}</p>`;

/** A refusal to show on the submitted form, with the response's status and headers. */
export interface Refused {
  problem: string;
  /** Messages by field; a form that shows them at its fields needs no other message. */
  wrong: Readonly<Record<string, string>>;
  status: number;
  headers: Record<string, string>;
}

/** Returns the message above a form, for a refusal that none of its fields shows. */
export const problemAbove = (again: Pick<Refused, "problem" | "wrong"> | undefined): Html | undefined =>
  Object.keys(again?.wrong ?? {}).length > 0 ? undefined : problemLine(again?.problem);

/** Returns the attributes of a field with a wrong value, which lead to its message. */
export const marked = (field: string, wrong: Refused["wrong"] = {}): Html | undefined =>
  field in wrong ? html` aria-invalid="true" aria-describedby="${field}-wrong"` : undefined;

/** Returns what is wrong with a field, to stand below it. */
export const faultOf = (field: string, wrong: Refused["wrong"] = {}): Html | undefined =>
  field in wrong ? html`<p class="error" role="alert" id="${field}-wrong">${wrong[field]}</p>` : undefined;

/** Returns a refusal of submitted values, for the form to show; rethrows other errors for the dialect. */
export function refusedForm(locale: Locale, error: unknown): Refused {
  const ofForm = error instanceof Refusal && (!ELSEWHERE.has(error.kind) || OF_PROOFS.has(error.code));
  if (!ofForm || error.code === "internal" || error.code === "database_away") throw error;
  const wrong = error.faults.map((fault) => [fault.path.replace("$.", ""), messageIn(locale, fault)]);
  return {
    problem: messageIn(locale, error),
    wrong: Object.fromEntries(wrong),
    status: statusOf(error),
    headers: retryHeader(error),
  };
}

const OF_PROOFS: ReadonlySet<string> = new Set(["wrong_password", "wrong_proof"]);
const ELSEWHERE = new Set<Refusal["kind"]>(["unauthenticated", "not_found", "forbidden"]);
