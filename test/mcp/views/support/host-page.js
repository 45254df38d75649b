// The page of a host: shows a view in a sandboxed frame, and speaks to it with the host's class of the package.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

/** What the spec has hosts enforce for a view that declares no domains. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** What the view asked of this host; the tests read it. */
const seen = { links: [], sizes: [], app: undefined };
let bridge;

window.host = {
  seen,
  /** Shows a document; resolves once the view has initialized. */
  async open(html, { context, capabilities, opensLinks }) {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.title = "View";
    Object.assign(frame.style, { display: "block", width: "100%", border: 0 });
    document.body.append(frame);
    bridge = new AppBridge(null, { name: "test host", version: "1" }, capabilities, { hostContext: context });
    bridge.onopenlink = async ({ url }) => {
      seen.links.push(url);
      return opensLinks ? {} : { isError: true };
    };
    bridge.addEventListener("sizechange", (size) => {
      seen.sizes.push(size);
      frame.style.height = `${size.height}px`;
    });
    const ready = new Promise((done) => bridge.addEventListener("initialized", done));
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.srcdoc = html.replace(
      "<head>",
      `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    );
    await ready;
    seen.app = bridge.getAppVersion();
  },
  async show(args, result) {
    await bridge.sendToolInput({ arguments: args });
    await bridge.sendToolResult(result);
  },
  cancel: () => bridge.sendToolCancelled({ reason: "user action" }),
  change: (context) => bridge.setHostContext(context),
  close: () => bridge.teardownResource({}),
};
