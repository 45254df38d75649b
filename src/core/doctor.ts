/** The header by which `leadgate doctor` asks an instance at `/readyz` what it sees of the request, sealed with its secret key. */
export const DOCTOR_HEADER = "x-leadgate-doctor";

/** The purposes of what is sealed: the question, which is any text, and the answer. */
export const DOCTOR_ASKS = "doctor asks";
export const DOCTOR_ANSWER = "doctor answer";

/** What an instance says about itself and about a request of the doctor. */
export interface SeenRequest {
  /** The text of the question, so that no former answer counts. */
  question: string;
  listener: string;
  release: string;
  /** The version of Node. */
  node: string;
  /** The other end of the connection: a proxy, or the doctor. */
  peer: { address: string; port: number };
  /** The addresses that count, from the peer to the client; only the peer if it is not in TRUSTED_PROXIES. */
  addresses: string[];
  host: string | null;
  forwardedFor: string | null;
  /** File descriptors of the process: how many it may have open; null where that is not known. */
  descriptors: number | null;
  /** The clock of the process, in milliseconds since 1970. */
  clock: number;
}
