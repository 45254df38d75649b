import { useEffect } from "react";
import { Navigate, useParams } from "react-router";
import { text, useAddressState } from "../address/use-address-state.ts";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { done } from "../parts/toast.ts";
import { Waiting } from "../parts/waiting.tsx";
import { leadAddress, placeBack } from "../records/lead.ts";
import { useLead } from "../records/use-lead.ts";
import { useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import { LEAD_WORDS } from "./context/lead-words.ts";
import { DeletedLead, NoLead } from "./gone.tsx";
import { LeadHome } from "./lead-home.tsx";

const PIECES = { from: text("leads") };

/** A lead: its values and timeline, or what became of it. */
export function Screen() {
  const { lead: id = "" } = useParams();
  const [{ from }] = useAddressState(PIECES);
  const place = placeBack(from);
  const words = useWords(LEAD_WORDS);
  const { data, error, isPending, refetch } = useLead(id);
  // a later failure leaves the lead and what is being typed on the screen
  if (data === undefined)
    return (
      <Page title={words.facts} wide>
        {isPending && <Waiting lines={8} />}
        {error !== null && <Problem error={error} again={() => void refetch()} />}
      </Page>
    );
  if ("none" in data) return <NoLead place={place} />;
  if ("into" in data) return <Became id={data.into} place={place} />;
  if (data.deleted) return <DeletedLead lead={data.lead} place={place} />;
  return <LeadHome key={id} lead={data.lead} place={place} />;
}

/** Redirects to the lead that this one was merged into. */
function Became({ id, place }: { id: string; place: string }) {
  const words = useWords(LEAD_WORDS);
  const { id: projectId } = useProject();
  useEffect(() => done(words.merged), [words]);
  return <Navigate to={leadAddress(projectId, id, place)} replace />;
}
