import type { ClientMetadata } from "../../contract/nouns/oauth.ts";

export interface Client {
  id: string;
  metadata: ClientMetadata;
}
