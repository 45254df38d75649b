import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A WebAuthn authenticator in software, with its browser: honest by default, and able to lie. */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#key = privateKey;
    const coordinate = (text: string) =>
      Buffer.concat([Buffer.from("5820", "hex"), Buffer.from(text, "base64url")]);
    // A COSE key (RFC 9052 7): EC2, ES256, P-256.
    this.#publicKey = Buffer.concat([
      Buffer.from("a5010203262001", "hex"),
      Buffer.from("21", "hex"),
      coordinate(x),
      Buffer.from("22", "hex"),
      coordinate(y),
    ]);
  }

  /** `credential.toJSON()` after `navigator.credentials.create`. */
  create(challenge: string, lie: Lie) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const data = Buffer.concat([
      this.#authenticatorData(lie, 0x40),
      Buffer.alloc(16),
      length,
      this.id,
      this.#publicKey,
    ]);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    const attestationObject = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex"),
      size,
      data,
    ]);
    const client = clientData("webauthn.create", challenge, lie.origin);
    return this.#credential({
      clientDataJSON: client.toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal", "hybrid"],
    });
  }

  /** `credential.toJSON()` after `navigator.credentials.get`. */
  get(challenge: string, lie: Lie) {
    const client = clientData("webauthn.get", challenge, lie.origin);
    const data = this.#authenticatorData(lie, 0);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#key).toString("base64url"),
      ...(lie.userHandle === undefined
        ? {}
        : { userHandle: Buffer.from(lie.userHandle).toString("base64url") }),
    });
  }

  #credential<R>(response: R) {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }

  #authenticatorData({ origin, rpId, verified = true }: Lie, more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const place = rpId ?? new URL(origin).hostname;
    const flags = Buffer.from([0x01 | (verified ? 0x04 : 0) | more]);
    return Buffer.concat([createHash("sha256").update(place).digest(), flags, counter]);
  }
}

interface Lie {
  origin: string;
  rpId?: string;
  /** Whether the device verified its user. */
  verified?: boolean;
  userHandle?: string;
}

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
