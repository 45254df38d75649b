import { readAccessToken } from "../../../src/domain/grants/token-text.ts";
import type { TokenCaller } from "../../../src/domain/operation/callers.ts";
import { perform } from "../../../src/domain/operation/operation.ts";
import { getApproval } from "../../../src/domain/approvals/get-approval.ts";
import { type Proposal, proposeWork } from "../../../src/domain/approvals/propose-work.ts";
import { Application, type Choice } from "../../oauth/support/application.ts";
import type { World } from "../../world.ts";

/** An application that a person lets ask before each change. */
export class AskingApplication {
  readonly the: World;
  readonly app: Application;
  readonly token: string;
  readonly caller: TokenCaller;

  private constructor(the: World, app: Application, token: string, caller: TokenCaller) {
    [this.the, this.app, this.token, this.caller] = [the, app, token, caller];
  }

  static async connect(the: World, choice: Choice = {}, name = "Deal Finder"): Promise<AskingApplication> {
    const app = await Application.register(the, { client_name: name });
    const { access } = await app.tokens(await the.signedIn(), { asks: true, ...choice });
    const address = readAccessToken(access);
    if (address === undefined) throw new Error("not an access token");
    return new AskingApplication(the, app, access, { kind: "token", ...address });
  }

  async propose(operation: string, input: object, title = "A change"): Promise<Proposal> {
    return await perform(this.the.service, proposeWork, this.caller, { operation, input, title });
  }

  async state(id: string) {
    return await perform(this.the.service, getApproval, this.caller, { id });
  }
}
