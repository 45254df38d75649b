import {
  type Call,
  callsOf,
  type History,
  isAcknowledged,
  isUnknown,
  listIn,
  mayHaveHappened,
  numberIn,
  textIn,
} from "../history.ts";

/** A lead as the service showed it. */
export interface Seen {
  id: string;
  name: string;
  external: string;
  company: string;
  version: number;
}

/** A write of one lead that was acknowledged, with the version that it made. */
export interface Write {
  call: Call;
  kind: "create" | "change" | "delete";
  lead: string;
  version: number;
  /** The company that it wrote; empty if it wrote none. */
  value: string;
}

export const seenIn = (lead: unknown): Seen => ({
  id: textIn(lead, "id"),
  name: textIn(lead, "name"),
  external: textIn(lead, "external_id"),
  company: textIn(lead, "company"),
  version: numberIn(lead, "version"),
});

/** All acknowledged writes of leads, in the order of their answers. Imports are checked on their own. */
export function writesIn(history: History): Write[] {
  const calls = callsOf(history, "lead.create", "lead.bulk", "lead.upsert", "lead.change", "lead.delete");
  return calls.filter(isAcknowledged).flatMap((call): Write[] => {
    const { op, answer, about } = call;
    const value = String(about.value ?? "");
    if (op === "lead.bulk") {
      return listIn(answer, "results").flatMap((result) =>
        textIn(result, "outcome") === "created"
          ? [
              {
                call,
                kind: "create",
                lead: textIn(result, "id"),
                version: numberIn(result, "version"),
                value,
              },
            ]
          : [],
      );
    }
    if (op === "lead.delete") return [{ call, kind: "delete", lead: String(about.lead), version: 0, value }];
    const kind = call.status === 201 ? "create" : "change";
    return [{ call, kind, lead: textIn(answer, "id"), version: numberIn(answer, "version"), value }];
  });
}

/** The leads that may have been deleted, whether it was acknowledged or not. */
export const deletionsIn = (history: History): Map<string, Call> =>
  new Map(
    callsOf(history, "lead.delete")
      .filter(mayHaveHappened)
      .map((call) => [String(call.about.lead), call]),
  );

/** The values of writes of which nobody knows whether they happened. */
export const unknownValues = (history: History): Set<string> =>
  new Set(
    callsOf(history, "lead.upsert", "lead.change")
      .filter(isUnknown)
      .map(({ about }) => String(about.value)),
  );

/** The leads of the list that was read in the end, and when that began. */
export function finalLeads(history: History): { leads: Seen[]; start: number; isWhole: boolean } {
  const pages = callsOf(history, "lead.list").filter(isAcknowledged);
  return {
    leads: pages.flatMap(({ answer }) => listIn(answer, "leads").map(seenIn)),
    start: pages[0]?.start ?? 0,
    isWhole: pages.some(({ answer }) => textIn(answer, "next_cursor") === ""),
  };
}
