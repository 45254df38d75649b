import type { Import } from "../../../../src/contract/nouns/imports/import.ts";
import { ApiError, errorOf } from "../../api/api-error.ts";
import { addressOf, queryString } from "../../api/request.ts";
import { presentMe, refreshMe, sessionOver } from "../../session/session.ts";

/** The options sent with a file; see the API's upload. */
export interface UploadOptions {
  dataset?: string;
  sheet?: string;
  format?: "csv" | "ndjson";
  header?: boolean;
  delimiter?: string;
  preset?: string;
}

interface Watch {
  signal: AbortSignal;
  /** Receives the part sent, from 0 to 1. */
  onProgress(part: number): void;
}

/** Uploads a file as a stream, with progress, which `fetch` does not report. Throws ApiError, or AbortError. */
export async function upload(
  projectId: string,
  file: File,
  options: UploadOptions,
  watch: Watch,
): Promise<Import> {
  try {
    return await send(projectId, file, options, watch);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) sessionOver();
    if (error.code === "stale_form" && (await refreshMe()))
      return await send(projectId, file, options, watch);
    throw error;
  }
}

const SHEET = /\.xlsx$/i;

function send(
  projectId: string,
  file: File,
  options: UploadOptions,
  { signal, onProgress }: Watch,
): Promise<Import> {
  const query = queryString({ file_name: file.name.slice(0, 300), ...options });
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const cancel = () => call.abort();
    signal.addEventListener("abort", cancel, { once: true });
    call.open("POST", addressOf(projectId, `/v1/imports${query}`));
    call.setRequestHeader("X-Form-Token", presentMe().token);
    call.setRequestHeader("Content-Type", SHEET.test(file.name) ? "application/octet-stream" : "text/plain");
    call.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total === 0 ? 1 : loaded / total),
    );
    call.addEventListener("loadend", () => signal.removeEventListener("abort", cancel));
    call.addEventListener("abort", () => reject(new DOMException("The upload was cancelled", "AbortError")));
    call.addEventListener("error", () => reject(new TypeError("The upload broke off")));
    call.addEventListener("load", () => {
      if (call.status >= 200 && call.status < 300) return resolve(JSON.parse(call.responseText) as Import);
      const headers = { "Retry-After": call.getResponseHeader("Retry-After") ?? "" };
      const { status, statusText } = call;
      void errorOf(new Response(call.responseText, { status, statusText, headers })).then(reject);
    });
    call.send(file);
  });
}
