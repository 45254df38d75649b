import type { Refusal } from "../../../core/refusal.ts";
import type { OpenedApproval } from "../../../domain/approvals/open-approval.ts";
import { momentIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { messageIn } from "../../../http/response/refusal-words.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { framed } from "../shared/frame.ts";
import { problemLine, tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { diffTable } from "./diff.ts";
import { APPROVAL_WORDS } from "./words.ts";

interface Content {
  signed: string;
  opened: OpenedApproval;
  /** Whether an approval was not taken because the diff had changed. */
  isChanged: boolean;
}

/** Returns the page of a proposal in its present state. */
export function approvalPage(asking: Visitor, content: Content): Reply {
  const { opened } = content;
  const visitor = { ...asking, project: asking.projects.find(({ id }) => id === opened.projectId) };
  const words = APPROVAL_WORDS[visitor.locale];
  const { state } = opened;
  const title = state === "waiting" ? words.title : words.states[state].title;
  const body = html`<script src="/assets/consent.js"></script>
<h1>${title}</h1>
${state === "waiting" ? undefined : ended(visitor, opened, state)}
<p>${sentence(visitor, opened)}</p>
<p class="quiet">${words.says} <q><bdi>${opened.title}</bdi></q>${state === "waiting" && html`<small>${words.unchecked}</small>`}</p>
${state === "waiting" && waiting(visitor, content)}`;
  return framed(visitor, title, body);
}

/** Returns what the application wants to do, and where. */
function sentence(
  { locale, project }: Visitor,
  { clientName, operation, op, preview }: OpenedApproval,
): Html {
  const words = APPROVAL_WORDS[locale];
  const deed = words.deeds[`${operation} ${op}`] ?? words.deeds[operation];
  const total = preview?.total ?? 2;
  const number = preview === undefined ? "" : total.toLocaleString(locale);
  const text = (deed?.(number, total === 1) ?? operation).replace(/ +/g, " ");
  const where = html`<strong><bdi>${project?.name}</bdi></strong>`;
  return words.wants(html`<strong><bdi>${clientName}</bdi></strong>`, text, where);
}

/** What an undo does not take back. */
const FINAL: ReadonlySet<string> = new Set(["datasets.create", "views.create"]);

function waiting(visitor: Visitor, { signed, opened, isChanged }: Content): Html {
  const { locale, token } = visitor;
  const words = APPROVAL_WORDS[locale];
  const { preview, refusal } = opened;
  const approve =
    preview !== undefined &&
    html`<input type="hidden" name="seen" value="${preview.mark}">
<button class="primary" name="decision" value="approve" data-guarded>${words.approve}</button>
<span class="unseen" role="status" data-ready-status="${words.ready}"></span>`;
  return html`${problemLine(isChanged ? words.changed : undefined)}
${refusal !== undefined && problemLine(`${words.cannot} ${reasonOf(visitor, refusal)}`)}
${preview !== undefined && diffTable(locale, opened, preview)}
<p data-deadline="${opened.expiresAt.toISOString()}" data-now="${opened.now.toISOString()}" data-left="${words.left}">${words.until}
<time datetime="${opened.expiresAt.toISOString()}">${momentIn(locale, opened.expiresAt, visitor.project?.timezone)}</time>.</p>
<form method="post" action="/approvals/${signed}" class="decision">
${tokenField(token)}
<div class="actions"><button name="decision" value="decline">${words.decline}</button>
${approve}</div>
${preview !== undefined && !FINAL.has(opened.operation) && html`<p class="quiet">${words.undoable}</p>`}
</form>
<p class="error" role="alert" hidden data-over>${words.states.expired.text}</p>
<script src="/assets/approval.js" defer></script>`;
}

/** Returns how a proposal ended, and where to go from there. */
function ended(
  visitor: Visitor,
  { outcome, changeId, projectId }: OpenedApproval,
  state: Exclude<OpenedApproval["state"], "waiting">,
): Html {
  const words = APPROVAL_WORDS[visitor.locale];
  const { text } = words.states[state];
  const at = `/projects/${projectId}/history`;
  if (state === "failed") {
    const reason = reasonOf(visitor, outcome as { code: string; message: string });
    return html`${problemLine(`${text} ${reason}`)}
<p><a href="${at}">${words.history}</a></p>`;
  }
  const link =
    state === "done" &&
    (changeId === null
      ? html`<p><a href="${at}">${words.history}</a></p>`
      : html`<p><a class="button primary" href="${at}/${changeId}">${words.see}</a></p>`);
  const kind = state === "done" || state === "running" ? "done" : "notice";
  return html`<p class="${kind}" role="status">${text}</p>
${link}`;
}

const reasonOf = ({ locale }: Visitor, refusal: Pick<Refusal, "code" | "message">): string =>
  refusal.code === "not_found" ? APPROVAL_WORDS[locale].missing : messageIn(locale, refusal);
