import type {
  McpUiHostContext,
  McpUiInitializedNotification,
  McpUiInitializeRequest,
  McpUiInitializeResult,
  McpUiOpenLinkRequest,
  McpUiOpenLinkResult,
  McpUiSizeChangedNotification,
} from "@modelcontextprotocol/ext-apps";

/** The revision of MCP Apps that we speak. */
const VERSION = "2026-01-26";

/** What the host sends to a view. Everything in it is unchecked. */
export interface Heard {
  /** What has changed of the host's theme, language and time zone. */
  context(changed: McpUiHostContext): void;
  /** The arguments of the call. */
  input(args: unknown): void;
  result(result: unknown): void;
  cancelled(): void;
}

export interface Host {
  /** Asks the host to open a URL in the person's browser; false if it does not. */
  openLink(url: string): Promise<boolean>;
  /** Reports the size of the view, in CSS pixels. */
  sized(size: McpUiSizeChangedNotification["params"]): void;
}

type Sent = McpUiInitializeRequest | McpUiOpenLinkRequest;
type Told = McpUiInitializedNotification | McpUiSizeChangedNotification;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/**
 * Connects to the host of this frame (MCP Apps 2026-01-26): JSON-RPC by postMessage. The package's own `App` would add 233 KB
 * to each view.
 */
export async function connect(name: string, heard: Heard): Promise<Host> {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>();
  // The host's origin is not known, and nothing secret is sent.
  const post = (message: object) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (message: Told) => post(message);
  let last = 0;
  const ask = (message: Sent): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      post({ id: last, ...message });
    });

  const hears: Readonly<Record<string, (params: Record<string, unknown>) => void>> = {
    "ui/notifications/host-context-changed": (params) => heard.context(params),
    "ui/notifications/tool-input": (params) => heard.input(params.arguments),
    "ui/notifications/tool-result": (params) => heard.result(params),
    "ui/notifications/tool-cancelled": () => heard.cancelled(),
  };

  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || typeof data !== "object" || data?.jsonrpc !== "2.0") return;
    const { id, method, params = {}, result, error } = data as Message;
    if (typeof method !== "string") {
      const asked = waiting.get(Number(id));
      waiting.delete(Number(id));
      if (error === undefined) asked?.resolve(result);
      else asked?.reject(error);
    } else if (id === undefined) {
      if (Object.hasOwn(hears, method)) hears[method]?.(params);
    } else if (method === "ui/resource-teardown" || method === "ping") {
      // A view keeps nothing that would have to be saved.
      post({ id, result: {} });
    } else post({ id, error: { code: -32_601, message: "Method not found" } });
  });

  const begun = (await ask({
    method: "ui/initialize",
    params: {
      appInfo: { name: `leadgate-${name}`, version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      protocolVersion: VERSION,
    },
  })) as McpUiInitializeResult;
  heard.context(begun.hostContext ?? {});
  notify({ method: "ui/notifications/initialized", params: {} });
  return {
    async openLink(url) {
      if (begun.hostCapabilities?.openLinks === undefined) return false;
      const opened = (await ask({ method: "ui/open-link", params: { url } }).catch(() => ({
        isError: true,
      }))) as McpUiOpenLinkResult;
      return opened?.isError !== true;
    },
    sized: (params) => notify({ method: "ui/notifications/size-changed", params }),
  };
}
