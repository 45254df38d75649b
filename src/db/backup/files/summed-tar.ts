import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Transform } from "node:stream";
import { Damaged } from "./damaged.ts";

/** A tar file ends with two empty blocks; programs that read it ignore what is behind them. */
const BLOCK = 512;
const MARK = "leadgate sha256 ";

const sumBlock = (sum: string): Buffer => {
  const block = Buffer.alloc(BLOCK);
  block.write(MARK + sum, "latin1");
  return block;
};

/** Passes a tar file on and adds a block with the checksum of all before it. */
export function endWithSum(): Transform {
  const hash = createHash("sha256");
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      done(null, sumBlock(hash.digest("hex")));
    },
  });
}

/** Throws `Damaged` unless a tar file is as it was written. `false`: it has no checksum, as those of older releases. */
export async function hasRightSum(path: string): Promise<boolean> {
  const hash = createHash("sha256");
  let last: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    const all: Buffer = Buffer.concat([last, chunk as Buffer]);
    const length = Math.max(0, all.length - BLOCK);
    hash.update(all.subarray(0, length));
    last = all.subarray(length);
  }
  if (last.equals(sumBlock(hash.digest("hex")))) return true;
  if (!last.subarray(0, MARK.length).equals(Buffer.from(MARK))) return false;
  throw new Damaged(`${path} is not as it was written.`);
}
