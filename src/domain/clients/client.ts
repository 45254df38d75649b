/** What an application registered about itself (RFC 7591 2), as responses show it; never verified. */
export interface ClientMetadata {
  client_name: string;
  client_uri?: string;
  logo_uri?: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: "none";
}

export interface Client {
  id: string;
  metadata: ClientMetadata;
}
