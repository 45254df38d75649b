import type { MantineColorSchemeManager } from "@mantine/core";
import { isLook, LOOK_COOKIE, type Look } from "../../../src/core/look.ts";

const SECONDS = 400 * 86_400;

const chosen = (): Look => {
  const { look } = document.documentElement.dataset;
  return isLook(look) ? look : "auto";
};

/** Keeps light, dark or auto in the cookie that the server's pages read, so that both look the same. */
export const lookStore: MantineColorSchemeManager = {
  get: chosen,
  set(look) {
    document.documentElement.dataset.look = look;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
    document.cookie = `${LOOK_COOKIE}=${look}; Path=/; Max-Age=${SECONDS}; SameSite=Lax${secure}`;
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
};
