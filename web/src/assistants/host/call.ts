import type { Fields } from "./answer.ts";

/** What a view shows: an answer, and the arguments of its call. */
export interface Call {
  answer: Fields;
  input: Fields;
}
