/** Writes the wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding). */
export class Bytes {
  #buffer = Buffer.allocUnsafe(16_384);
  #at = 0;

  /** What was written. */
  get written(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  /** A string, also if it is empty. */
  text(field: number, text: string): void {
    this.#nested(field, () => {
      this.#room(text.length * 3);
      this.#at += this.#buffer.write(text, this.#at, "utf8");
    });
  }

  /** Bytes that are given in hex. */
  hex(field: number, text: string): void {
    this.#nested(field, () => {
      this.#room(text.length);
      this.#at += this.#buffer.write(text, this.#at, "hex");
    });
  }

  /** A number from 0 to 2⁵³, or an enumeration's. */
  whole(field: number, value: number): void {
    this.#varint(field * 8);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#varint(field * 8 + 1);
    this.#room(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  fixed64(field: number, value: bigint): void {
    this.#varint(field * 8 + 1);
    this.#room(8);
    this.#at = this.#buffer.writeBigUInt64LE(value, this.#at);
  }

  fixed32(field: number, value: number): void {
    this.#varint(field * 8 + 5);
    this.#room(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  /** A message, whose fields `write` writes. */
  message(field: number, write: () => void): void {
    this.#nested(field, write);
  }

  #nested(field: number, write: () => void): void {
    this.#varint(field * 8 + 2);
    const from = this.#at + 1;
    this.#room(1);
    this.#at = from;
    write();
    const length = this.#at - from;
    const digits = lengthOf(length);
    // One byte was left for the length; a longer one moves what it describes.
    if (digits > 1) {
      this.#room(digits);
      this.#buffer.copyWithin(from + digits - 1, from, this.#at);
    }
    this.#at = from - 1;
    this.#varint(length);
    this.#at += length;
  }

  #varint(value: number): void {
    this.#room(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#at = this.#buffer.writeUInt8((rest % 0x80) + 0x80, this.#at);
      rest = Math.floor(rest / 0x80);
    }
    this.#at = this.#buffer.writeUInt8(rest, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

function lengthOf(value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) digits += 1;
  return digits;
}
