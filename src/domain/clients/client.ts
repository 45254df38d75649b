import type { ClientMetadata } from "../../contract/oauth/client.ts";

export interface Client {
  id: string;
  metadata: ClientMetadata;
}
