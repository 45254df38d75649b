import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

/** Whether asking again may help: not where the service said no to the question itself. */
const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && mayPass(error),
      throwOnError: false,
    },
    mutations: { retry: false },
  },
});
