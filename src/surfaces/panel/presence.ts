import { noteViewer } from "../../domain/leads/presence/note-viewer.ts";
import { perform } from "../../domain/operation/operation.ts";
import { jsonBody } from "../../http/request/body.ts";
import type { Route } from "../../http/route/route.ts";
import { sessionCaller } from "../../http/session/session-caller.ts";

/** `POST /panel/api/presence/{project}`: the signed-in person has a lead open, or closed it. */
export const presenceRoute: Route = {
  method: "POST",
  url: "/panel/api/presence/:project",
  async handle(service, request) {
    const caller = await sessionCaller(request, service);
    await perform(service, noteViewer, caller, jsonBody(request));
    return { status: 204 };
  },
};
