import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { isUndone, spread } from "./repeat.ts";

/** Whether a retry may help: not if the service refused the request itself, or if `repeated` has sent it again already. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || (error.status >= 500 && !isUndone(error));

/** Milliseconds before a retry: those of the Retry-After, otherwise one second, then two. */
const delayOf = (count: number, error: unknown): number => {
  const said = error instanceof ApiError ? error.retryAfter : undefined;
  return (said ?? 2 ** count) * 1_000 * spread();
};

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && mayPass(error),
      retryDelay: delayOf,
      throwOnError: false,
    },
    // offline, a write fails at once instead of waiting where nobody sees it
    mutations: { retry: false, networkMode: "always" },
  },
});
