import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { isLoopbackHost } from "../../core/loopback.ts";

/** Headers by which proxies say that they passed a request on. */
const OF_PROXIES =
  /^(x-forwarded(-.*)?|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|cdn-loop)$/;

/**
 * Whether a request was sent to a loopback address by a program on this machine. Proxies that name themselves, keep the
 * public Host or speak HTTP/1.0 are told apart; one that does none of this looks the same (nginx since 1.29.7).
 */
export function isFromHere({ socket, httpVersion, url = "", rawHeaders, headers }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  return (
    isLoopbackAddress(socket.remoteAddress ?? "") &&
    httpVersion === "1.1" &&
    url.startsWith("/") &&
    names.filter((name) => name === "host").length === 1 &&
    isLoopbackHost(headers.host ?? "") &&
    !names.some((name) => OF_PROXIES.test(name))
  );
}

/** Whether a URL leads to this machine only, so that strangers do not know the listener behind it. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackHost(new URL(url).host);

function isLoopbackAddress(address: string): boolean {
  const mapped = address.replace(/^::ffff:/i, "");
  return address === "::1" || (isIPv4(mapped) && mapped.startsWith("127."));
}
