import { LEAD_ARGUMENT, leadOf } from "./one-lead.ts";
import { completeFrom, prompt, wordIn } from "./prompt.ts";

const CHANNELS = ["email", "whatsapp", "sms", "phone", "linkedin"] as const;

export const draftFollowUp = prompt({
  name: "draft_follow_up",
  title: "Draft a follow-up",
  description: "A message to one lead that follows up on the last contact.",
  arguments: [
    LEAD_ARGUMENT,
    {
      name: "channel",
      title: "Channel",
      description: "email, whatsapp, sms, phone (notes for a call) or linkedin; default email.",
      required: false,
      complete: completeFrom(CHANNELS),
    },
    {
      name: "purpose",
      title: "Purpose",
      description: "What the message should achieve, in a few words.",
      required: false,
    },
    {
      name: "language",
      title: "Language",
      description: "The language of the message; defaults to the lead's.",
      required: false,
      complete: completeFrom(["english", "español", "português"]),
    },
  ],
  task: {
    en: [
      "Draft one follow-up to this lead for the channel in the data, from the user named there.",
      "Refer to the last contact on the timeline, keep it short, ask for one thing, and use only what the data says.",
      "Write in the requested language, otherwise in the lead's. If do_not_contact is true, or consent is missing for this channel, say that first and draft nothing.",
      "This is a draft: the user sends it.",
    ].join(" "),
    "pt-BR": [
      "Escreva um rascunho de acompanhamento para este lead, no canal indicado nos dados, em nome do usuário citado neles.",
      "Retome o último contato da linha do tempo, seja breve, peça uma só coisa e use apenas o que está nos dados.",
      "Escreva no idioma pedido ou, sem ele, no do lead. Se do_not_contact for verdadeiro, ou faltar consentimento para este canal, diga isso primeiro e não escreva nada.",
      "É um rascunho: quem envia é o usuário.",
    ].join(" "),
  },
  async data(asked) {
    const channel = wordIn(asked, "channel", CHANNELS) ?? "email";
    return { channel, ...(await leadOf(asked)) };
  },
});
