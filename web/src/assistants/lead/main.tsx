import { mount } from "../host/mount.tsx";
import { LeadCard } from "./lead-card.tsx";

void mount("lead", { en: "Lead", "pt-BR": "Lead" }, LeadCard);
