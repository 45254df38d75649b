import type { Import } from "../../../../src/contract/imports/import.ts";
import { errorOf } from "../../api/api-error.ts";
import type { Input } from "../../api/call.ts";
import { repeated } from "../../api/repeat.ts";
import { addressOf, answerIn } from "../../api/request.ts";
import { presentMe } from "../../session/session.ts";

/** The options sent with a file. */
export type UploadOptions = Omit<NonNullable<Input<"POST", "/v1/imports">["query"]>, "file_name">;

interface Watch {
  signal: AbortSignal;
  /** Receives the part sent, from 0 to 1. */
  onProgress(part: number): void;
}

/**
 * Uploads a file as a stream, with progress, which `fetch` does not report; from its start again if the service refused
 * it undone (see `repeated`). Throws ApiError, or AbortError.
 */
export async function upload(
  projectId: string,
  file: File,
  options: UploadOptions,
  watch: Watch,
): Promise<Import> {
  return await repeated(() => {
    watch.onProgress(0);
    return send(projectId, file, options, watch);
  }, watch.signal);
}

const SHEET = /\.xlsx$/i;

function send(
  projectId: string,
  file: File,
  options: UploadOptions,
  { signal, onProgress }: Watch,
): Promise<Import> {
  const query = { file_name: file.name.slice(0, 300), ...options };
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const cancel = () => call.abort();
    signal.addEventListener("abort", cancel, { once: true });
    call.open("POST", addressOf(projectId, "POST", "/v1/imports", { query }));
    call.setRequestHeader("X-Form-Token", presentMe().token);
    call.setRequestHeader("Content-Type", SHEET.test(file.name) ? "application/octet-stream" : "text/plain");
    call.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total === 0 ? 1 : loaded / total),
    );
    call.addEventListener("loadend", () => signal.removeEventListener("abort", cancel));
    call.addEventListener("abort", () => reject(new DOMException("The upload was cancelled", "AbortError")));
    call.addEventListener("error", () => reject(new TypeError("The upload broke off")));
    call.addEventListener("load", () => {
      const headers = { "Retry-After": call.getResponseHeader("Retry-After") ?? "" };
      const { status, statusText } = call;
      const response = new Response(call.responseText, { status, statusText, headers });
      if (response.ok) resolve(answerIn<"POST", "/v1/imports">(response));
      else void errorOf(response).then(reject);
    });
    call.send(file);
  });
}
