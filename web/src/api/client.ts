import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

/** Whether a retry may help: not if the service refused the request itself. */
const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && mayPass(error),
      throwOnError: false,
    },
    // offline, a write fails at once instead of waiting where nobody sees it
    mutations: { retry: false, networkMode: "always" },
  },
});
