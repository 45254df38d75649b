/** Somebody who signs in. */
export interface Person {
  id: string;
  email: string;
  name: string;
}
