import { pipeline, type Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, createGzip, gzip, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptsEncoding } from "./accepts-encoding.ts";

/** A shorter body fits a packet or two anyway. */
const LEAST = 1_024;
/** Up to here, in bytes, compressing at once costs less processor time than handing it to another thread. */
const AT_ONCE = 128 * 1_024;
const FAST = { level: constants.Z_BEST_SPEED };

const inThread = promisify(gzip);

/**
 * Sends a body compressed if the client accepts it, and says that it depends on that. The caller decides what may be
 * compressed: no answer with a secret that another party could guess from its length.
 */
export function sendCompressed(
  reply: FastifyReply,
  request: FastifyRequest,
  body: string | Buffer | Readable,
): FastifyReply {
  // A file of a known length stays as it is: browsers show how much of it has come, and programs check that.
  const isFile = isStream(body) && reply.hasHeader("Content-Length");
  if (isFile || (!isStream(body) && body.length < LEAST)) return reply.send(body);
  varyByEncoding(reply);
  if (!acceptsEncoding(request, "gzip")) return reply.send(body);
  reply.header("Content-Encoding", "gzip");
  if (isStream(body)) {
    const sent = request.method === "HEAD" ? body : pipeline(body, createGzip(FAST), () => undefined);
    return reply.send(sent);
  }
  if (body.length <= AT_ONCE) return reply.send(gzipSync(body, FAST));
  inThread(body, FAST).then(
    (bytes) => void reply.send(bytes),
    (error) => void reply.send(error),
  );
  return reply;
}

/** Says that the answer depends on Accept-Encoding, as on what was named before. */
export function varyByEncoding(reply: FastifyReply): void {
  const before = reply.getHeader("Vary");
  reply.header("Vary", before === undefined ? "Accept-Encoding" : `${String(before)}, Accept-Encoding`);
}

const isStream = (body: string | Buffer | Readable): body is Readable =>
  typeof body !== "string" && !Buffer.isBuffer(body);
