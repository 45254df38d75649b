import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useCallback, useRef } from "react";

/**
 * A mutation for what must not happen twice: while a call is under way, further ones are ignored, even before the
 * button shows that it is busy. Everything that a button or form sends uses it.
 */
export function useSubmit<Data, Sent = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Sent, Context>,
): UseMutationResult<Data, Error, Sent, Context> {
  const busy = useRef(false);
  const mutation = useMutation({
    ...options,
    async onSettled(...outcome) {
      try {
        await options.onSettled?.(...outcome);
      } finally {
        busy.current = false;
      }
    },
  });
  const { mutate: send } = mutation;
  const mutate = useCallback<typeof send>(
    (...sent) => {
      if (busy.current) return;
      busy.current = true;
      send(...sent);
    },
    [send],
  );
  return { ...mutation, mutate };
}
