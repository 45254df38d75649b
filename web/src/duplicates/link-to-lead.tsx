import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import { leadAddress } from "../records/lead.ts";
import { useProject } from "../session/me.ts";
import { leadName } from "../words/lead-name.ts";
import { useWords } from "../words/use-words.ts";
import { DUPLICATE_WORDS } from "./duplicate-words.ts";
import styles from "./duplicates.module.css";

/** A lead's name as a link; `from` is the path to come back to. */
export function LinkToLead({ lead, from }: { lead: Lead; from: string }) {
  const words = useWords(DUPLICATE_WORDS);
  const { id } = useProject();
  return (
    <Anchor component={Link} to={leadAddress(id, lead.id, from)} fw={600} size="sm">
      <bdi className={styles.clamp}>{leadName(lead) || words.nameless}</bdi>
    </Anchor>
  );
}
