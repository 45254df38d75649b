import { useEffect } from "react";
import { errorOf } from "../api/api-error.ts";
import { randomId } from "../api/random-id.ts";
import { repeated } from "../api/repeat.ts";
import { useProject } from "../session/me.ts";
import { presentMe } from "../session/session.ts";

/** The service forgets who did not report for a minute. */
const EVERY_MS = 20_000;
/** After this time without a sign of the person, the lead counts as left. */
const IDLE_MS = 600_000;
const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"] as const;

/** Reports that the person has a lead open, so that colleagues see it, for as long as the tab is visible and in use. */
export function useReportViewing(leadId: string): void {
  const { id: projectId } = useProject();
  useEffect(() => {
    const viewer = randomId();
    let isOpen = false;
    let lastSign = Date.now();
    let sending: Promise<unknown> = Promise.resolve();
    const report = (open: boolean, isLast = false) => {
      isOpen = open;
      const send = () => post(projectId, { lead_id: leadId, viewer, is_open: open }, isLast);
      // one after another; the last one of a page that closes cannot wait
      sending = isLast ? send() : sending.then(send);
      sending = sending.catch(() => undefined);
    };
    const look = () => {
      const isThere = !document.hidden && Date.now() - lastSign < IDLE_MS;
      if (isThere || isOpen) report(isThere);
    };
    const onSign = () => {
      lastSign = Date.now();
      if (!isOpen && !document.hidden) report(true);
    };
    const onVisible = () => !document.hidden && !isOpen && onSign();
    const onLeave = () => isOpen && report(false, true);
    const timer = setInterval(look, EVERY_MS);
    for (const sign of SIGNS) addEventListener(sign, onSign, { passive: true });
    document.addEventListener("visibilitychange", onVisible);
    addEventListener("pagehide", onLeave);
    look();
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS) removeEventListener(sign, onSign);
      document.removeEventListener("visibilitychange", onVisible);
      removeEventListener("pagehide", onLeave);
      if (isOpen) report(false);
    };
  }, [projectId, leadId]);
}

const post = (projectId: string, body: object, keepalive: boolean): Promise<void> =>
  repeated(async () => {
    const response = await fetch(`/panel/api/presence/${projectId}`, {
      method: "POST",
      keepalive,
      headers: { "Content-Type": "application/json", "X-Form-Token": presentMe().token },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await errorOf(response);
  });
