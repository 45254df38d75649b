import { list, text, useAddressState } from "../../address/use-address-state.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { Composer } from "./composer.tsx";
import { Tasks } from "./tasks.tsx";
import { Timeline } from "./timeline.tsx";

const PIECES = { types: list(), source: text(), actor: text(), since: text(), until: text() };

/** The forms to add something to the lead, its open tasks and its timeline. */
export function LeadActivity() {
  const { mayWrite } = useLeadHere();
  const [chosen, choose] = useAddressState(PIECES);
  return (
    <>
      {mayWrite && <Composer />}
      <Tasks />
      <Timeline chosen={chosen} onChoose={(change) => choose(change, { replace: true })} />
    </>
  );
}
