import { presentMe } from "../session/session.ts";
import { ApiError, errorOf } from "./api-error.ts";
import { repeated } from "./repeat.ts";

/**
 * Signs out, deletes what this tab keeps for the person, and goes to sign-in. Throws if the session may not have ended;
 * the person is then still signed in, and nothing is deleted.
 */
export async function signOut(): Promise<void> {
  try {
    await repeated(async () => {
      const headers = { "X-Form-Token": presentMe().token };
      const response = await fetch("/panel/api/sign-out", { method: "POST", headers });
      if (!response.ok) throw await errorOf(response);
    });
  } catch (error) {
    // the session had ended already
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  sessionStorage.clear();
  location.assign("/sign-in");
}
