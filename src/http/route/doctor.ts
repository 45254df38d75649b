import type { FastifyRequest } from "fastify";
import manifest from "../../../package.json" with { type: "json" };
import { mostDescriptors } from "../../config/descriptors.ts";
import { DOCTOR_ANSWER, DOCTOR_ASKS, DOCTOR_HEADER, type SeenRequest } from "../../core/doctor.ts";
import { seal, unseal } from "../../core/secret.ts";

/**
 * Returns what the service sees of a request, for `leadgate doctor`: sealed with the secret key, so that nobody else reads it and
 * the doctor knows who answered. Empty for other requests.
 */
export async function seenByDoctor(
  request: FastifyRequest,
  listener: string,
  secretKeys: readonly string[],
): Promise<{ doctor?: string }> {
  const sealed = request.headers[DOCTOR_HEADER];
  const question = typeof sealed === "string" ? unseal(secretKeys, DOCTOR_ASKS, sealed) : undefined;
  if (question === undefined) return {};
  const { remoteAddress = "", remotePort = 0 } = request.raw.socket;
  const sent = (name: string) => {
    const at = request.raw.rawHeaders.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name);
    return request.raw.rawHeaders[at + 1] ?? null;
  };
  const seen: SeenRequest = {
    ...{ question, listener, release: manifest.version, node: process.versions.node },
    peer: { address: remoteAddress, port: remotePort },
    addresses: request.ips ?? [request.ip],
    host: request.headers.host ?? null,
    forwardedFor: request.headers["x-forwarded-for"] === undefined ? null : sent("x-forwarded-for"),
    descriptors: (await mostDescriptors()) ?? null,
    clock: Date.now(),
  };
  return { doctor: seal(secretKeys, DOCTOR_ANSWER, JSON.stringify(seen)) };
}
