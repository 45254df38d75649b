import process from "node:process";

type Answer = Record<string, unknown>;

/** Calls tools with what the runner gives a client in its environment. */
export class Caller {
  readonly #url = process.env.LEADGATE_MCP_URL ?? "";
  readonly #token = process.env.LEADGATE_TOKEN ?? "";

  /** Returns the structured content of a tool's result; throws if the tool failed. */
  async call(name: string, args: object): Promise<Answer> {
    const answer = await fetch(this.#url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${this.#token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: args },
      }),
    });
    const { result, error } = (await answer.json()) as {
      result?: { structuredContent?: Answer; content?: { text?: string }[]; isError?: boolean };
      error?: { message: string };
    };
    const text = result?.content?.[0]?.text ?? error?.message ?? "";
    if (result === undefined || result.isError === true) throw new Error(`${name}: ${text}`);
    return result.structuredContent ?? (JSON.parse(text) as Answer);
  }

  /** Returns the leads that meet all conditions, up to 100, and how many there are. */
  async find(all: readonly object[], more: object = {}): Promise<{ leads: Answer[]; total: number }> {
    const filter = all.length === 0 ? {} : { filter: { any: [{ all }] } };
    const answer = await this.call("query_leads", { ...filter, limit: 100, total: "exact", ...more });
    return { leads: answer.leads as Answer[], total: Number(answer.total) };
  }

  /** Returns the only lead that meets all conditions. */
  async one(all: readonly object[], more: object = {}): Promise<Answer> {
    const { leads } = await this.find(all, more);
    if (leads.length !== 1 || leads[0] === undefined) throw new Error(`${leads.length} leads are found`);
    return leads[0];
  }
}
