import { type ApprovalState, getApproval } from "../../../src/domain/approvals/get-approval.ts";
import { type Proposal, proposeWork } from "../../../src/domain/approvals/propose-work.ts";
import { readAccessToken } from "../../../src/domain/grants/token-text.ts";
import type { TokenCaller } from "../../../src/domain/operation/callers.ts";
import { perform } from "../../../src/domain/operation/operation.ts";
import type { Browser } from "../../browser.ts";
import { Application, type Choice } from "../../oauth/support/application.ts";
import type { World } from "../../world.ts";

/** An application that a person lets ask before each change. */
export interface AskingApplication {
  caller: TokenCaller;
  /** The text of its access token. */
  access: string;
  propose(operation: string, input: object, title?: string): Promise<Proposal>;
  state(id: string): Promise<ApprovalState>;
}

/** Connects an application as the person of the world. */
export async function askingApplication(
  the: World,
  { name = "Deal Finder", ...choice }: Choice & { name?: string } = {},
): Promise<AskingApplication> {
  const app = await Application.register(the, { client_name: name });
  const { access } = await app.tokens(await the.signedIn(), { asks: true, ...choice });
  const address = readAccessToken(access);
  if (address === undefined) throw new Error("this is not an access token");
  const caller = { kind: "token", ...address } as const;
  return {
    caller,
    access,
    propose: (operation, input, title = "Tidy up") =>
      perform(the.service, proposeWork, caller, { operation, input, title }),
    state: (id) => perform(the.service, getApproval, caller, { id }),
  };
}

/** The page of a proposal, as a browser without script has it. */
export interface ApprovalPage {
  status: number;
  text: string;
  /** Sends the page's form; throws if the page has none with this decision. */
  decide(decision: "approve" | "decline"): Promise<Response>;
}

export async function approvalPage(browser: Browser, url: string): Promise<ApprovalPage> {
  const path = new URL(url).pathname;
  const answer = await browser.get(path);
  const text = await answer.text();
  const form = /<form method="post" action="\/approvals\/[^"]*" class="decision">([\s\S]*?)<\/form>/.exec(
    text,
  );
  return {
    status: answer.status,
    text,
    async decide(decision) {
      if (form?.[1]?.includes(`value="${decision}"`) !== true) throw new Error(`no ${decision}: ${text}`);
      const fields = [...form[1].matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
      const hidden = fields.map(([, name = "", value = ""]): [string, string] => [name, value]);
      return await browser.post(path, [...hidden, ["decision", decision]]);
    },
  };
}
