import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useAskBeforeUnload } from "../../parts/use-ask-before-unload.ts";
import { type UploadOptions, upload } from "./upload.ts";

/** The progress of an upload; `part` is from 0 to 1. */
export interface UploadProgress {
  name: string;
  part: number;
}

/** Uploads a file with progress; leaving the screen cancels it. `send` returns undefined if it was cancelled. */
export function useUpload() {
  const { projectId } = useApi();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<UploadProgress>();
  const running = useRef<AbortController>(undefined);
  const cancel = useCallback(() => running.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  // The browser asks for confirmation before the user leaves during an upload.
  useAskBeforeUnload(progress !== undefined);
  const send = async (file: File, options: UploadOptions): Promise<Import | undefined> => {
    cancel();
    const own = new AbortController();
    running.current = own;
    setProgress({ name: file.name, part: 0 });
    try {
      const onProgress = (part: number) => setProgress({ name: file.name, part });
      const made = await upload(projectId, file, options, { signal: own.signal, onProgress });
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "imports", "list") });
      return made;
    } catch (error) {
      if (own.signal.aborted) return undefined;
      throw error;
    } finally {
      if (running.current === own) setProgress(undefined);
    }
  };
  return { send, cancel, progress };
}
