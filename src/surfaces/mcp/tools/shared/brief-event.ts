import { outside } from "./outside-text.ts";
import { fitRecord } from "./size.ts";
import { shortened } from "./table.ts";

interface StoredEvent {
  id: string;
  type: string;
  occurred_at: string;
  title?: string | null;
  actor?: { label?: string | null } | null;
  data?: Record<string, unknown> | null;
  lead_id?: string;
  lead_name?: string | null;
  change_id?: string | null;
}

/** Details of one event in a list, in bytes of JSON. */
const DATA_BYTES = 600;

/** Returns what happened, when, and who did it, with the details that its title does not have. */
export function briefEvent(given: object): object {
  const event = outside(given) as StoredEvent;
  const {
    type,
    occurred_at: at,
    title,
    actor,
    data,
    lead_id: lead,
    lead_name: name,
    change_id: change,
  } = event;
  const { field, from, to, ...details } = data ?? {};
  return {
    at: shortened(at),
    type,
    ...(title === undefined || title === null ? {} : { title: shortened(title) }),
    ...(field === undefined
      ? {}
      : { field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }),
    ...(actor?.label ? { by: actor.label } : {}),
    ...(lead === undefined ? {} : { lead_id: lead }),
    ...(name ? { lead: name } : {}),
    ...(Object.keys(details).length > 0 ? { data: fitRecord(details, DATA_BYTES).record } : {}),
    ...(change ? { change_id: change } : {}),
  };
}
