import type { ClientMetadata } from "../../contract/nouns/oauth/client.ts";

export interface Client {
  id: string;
  metadata: ClientMetadata;
}
