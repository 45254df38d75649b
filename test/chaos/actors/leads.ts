import { isAcknowledged, listIn, numberIn, textIn } from "../history.ts";
import { type Act, leadOf } from "./actor.ts";

const LEADS = "/api/v1/leads";
const EXTERNAL_IDS = 6;

/** Creates leads, alone and in bulk, each once, and deletes some of them. */
export const creating: Act = async (actor) => {
  const own: string[] = [];
  for (let n = 1; !actor.isOver; n += 1) {
    const name = `${actor.name}-${n}`;
    if (actor.chance.isOneIn(4)) {
      const items = Array.from({ length: actor.chance.between(2, 9) }, (_, i) => ({ name: `${name}-${i}` }));
      const call = await actor.call({
        ...{ op: "lead.bulk", method: "POST", path: `${LEADS}/bulk`, about: { name, count: items.length } },
        json: { op: "create", items },
        keep: (text) => {
          const { results, error } = JSON.parse(text) as { results?: unknown; error?: unknown };
          return { results, error };
        },
      });
      own.push(...listIn(call.answer, "results").map((result) => textIn(result, "id")));
      await actor.pause(call);
    } else if (own.length > 0 && actor.chance.isOneIn(6)) {
      const lead = actor.chance.of(own);
      own.splice(own.indexOf(lead), 1);
      const path = `${LEADS}/${lead}`;
      await actor.pause(await actor.call({ op: "lead.delete", method: "DELETE", path, about: { lead } }));
    } else {
      const call = await actor.call({
        ...{ op: "lead.create", method: "POST", path: LEADS, about: { name }, json: { name }, keep: leadOf },
      });
      if (isAcknowledged(call)) own.push(textIn(call.answer, "id"));
      await actor.pause(call);
    }
  }
};

/** Writes leads by a few external ids, as other actors do at the same time. */
export const upserting: Act = async (actor) => {
  for (let n = 1; !actor.isOver; n += 1) {
    const external = `ext-${actor.chance.between(1, EXTERNAL_IDS)}`;
    const value = `${actor.name}-${n}`;
    const onlyNew = actor.chance.isOneIn(8);
    const call = await actor.call({
      ...{
        op: "lead.upsert",
        method: "PUT",
        path: `${LEADS}/upsert`,
        about: { external, value },
        keep: leadOf,
      },
      json: { match_on: ["external_id"], lead: { external_id: external, company: value } },
      ...(onlyNew ? { headers: { "If-None-Match": "*" } } : {}),
    });
    const id = textIn(call.answer, "id");
    if (isAcknowledged(call) && !actor.scene.shared.includes(id)) actor.scene.shared.push(id);
    await actor.pause(call);
  }
};

/** Reads shared leads and changes them, most often under the condition that nobody else did meanwhile. */
export const changing: Act = async (actor) => {
  for (let n = 1; !actor.isOver; n += 1) {
    const lead = actor.chance.of(actor.scene.shared);
    const path = `${LEADS}/${lead}`;
    const read = await actor.call({ op: "lead.read", method: "GET", path, about: { lead }, keep: leadOf });
    if (!isAcknowledged(read)) {
      await actor.pause(read);
      continue;
    }
    const value = `${actor.name}-${n}`;
    const version = numberIn(read.answer, "version");
    const isBlind = actor.chance.isOneIn(5);
    const call = await actor.call({
      ...{ op: "lead.change", method: "PATCH", path, keep: leadOf, json: { company: value } },
      about: { lead, value, ...(isBlind ? {} : { version }) },
      ...(isBlind ? {} : { headers: { "If-Match": `"${version}"` } }),
    });
    await actor.pause(call);
  }
};

/** Records events under keys of its own, each until it is acknowledged. */
export const recording: Act = async (actor) => {
  for (let n = 1; !actor.isOver; n += 1) {
    const external = `${actor.name}-${n}`;
    const lead = actor.chance.of(actor.scene.shared);
    const json = { type: "note.added", source: "chaos", external_id: external, data: { text: external } };
    for (let isKnown = false; !isKnown && !actor.isOver; ) {
      const call = await actor.call({
        ...{
          op: "event.add",
          method: "POST",
          path: `${LEADS}/${lead}/events`,
          about: { lead, external },
          json,
        },
        keep: (text) => ({ id: textIn(JSON.parse(text), "id") }),
      });
      isKnown = isAcknowledged(call);
      await actor.pause(call);
    }
  }
};
