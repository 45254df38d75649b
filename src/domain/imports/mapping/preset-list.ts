import { GOOGLE_CONTACTS, LINKEDIN } from "./presets/address-books.ts";
import { GOOGLE_ADS, META_LEAD_ADS, META_LEADS_CENTER } from "./presets/ads.ts";
import { HUBSPOT, PIPEDRIVE, SALESFORCE, ZOHO } from "./presets/crms.ts";
import { ACTIVECAMPAIGN, MAILCHIMP, RD_STATION } from "./presets/marketing.ts";
import { OUTLOOK } from "./presets/outlook.ts";
import type { Preset } from "./presets/preset.ts";
import { APOLLO, SUITECRM, TWENTY } from "./presets/sales-tools.ts";

export type { Preset } from "./presets/preset.ts";

/** The programs whose files are recognized. Headers are compared without case, accents and punctuation. */
export const PRESETS: readonly Preset[] = [
  ...[HUBSPOT, SALESFORCE, PIPEDRIVE, MAILCHIMP, META_LEAD_ADS, RD_STATION, GOOGLE_ADS],
  ...[GOOGLE_CONTACTS, OUTLOOK, LINKEDIN, ZOHO, APOLLO, TWENTY],
  ...[ACTIVECAMPAIGN, SUITECRM, META_LEADS_CENTER],
];
