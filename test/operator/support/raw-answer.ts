import { once } from "node:events";
import { connect } from "node:net";

/** Sends these bytes to a listener; returns its answer as text. */
export async function rawAnswer(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  // What the service did not read makes the system reset the connection after the answer.
  socket.on("error", () => undefined);
  await once(socket, "close");
  return answer;
}
