// Solves some jobs by calls that are written down here: npm run eval -- mcp --client "node lab/eval/mcp/clients/oracle.ts"
// It proves that the checkers accept right answers. It reads the service only, and knows nothing of the facts.
import process from "node:process";
import { JOBS } from "../jobs/all.ts";
import { Caller } from "./caller.ts";

const is = (field: string, value: unknown) => ({ field, op: "eq", value });
const OPEN = { field: "status", op: "not_in", value: ["Ganho", "Perdido"] };
const COLD = { field: "last_activity_at", op: "older_than", value: { n: 90, unit: "day" } };

/** How each job is solved; returns the answer. Jobs that are not here get none. */
const SOLVED: Record<string, (it: Caller, text: string) => Promise<string>> = {
  async "won-total"(it) {
    const metrics = [{ op: "count" }, { op: "sum", field: "value" }];
    const { groups } = await it.call("summarize_leads", {
      filter: { any: [{ all: [is("status", "Ganho")] }] },
      metrics,
    });
    const [group] = groups as { metrics: { count: number; sum_value: number } }[];
    return `We won ${group?.metrics.count} deals worth R$ ${group?.metrics.sum_value.toLocaleString("pt-BR")}.`;
  },
  async "won-in-sao-paulo"(it) {
    const { total } = await it.find([is("status", "Ganho"), is("city", "São Paulo")]);
    return `São ${total.toLocaleString("pt-BR")} leads.`;
  },
  async "whose-phone"(it) {
    const lead = await it.one([], { search: "11916097776" });
    return `It is ${lead.name} of ${lead.company}, in status ${lead.status}.`;
  },
  async "city-without-accent"(it) {
    const [one, other] = await Promise.all(
      ["São Paulo", "Rio de Janeiro"].map((city) => it.find([is("city", city)])),
    );
    return `São Paulo: ${one?.total.toLocaleString("pt-BR")}. Rio de Janeiro: ${other?.total}.`;
  },
  async "status-that-is-none"(it) {
    const { total } = await it.find([is("status", "Ganho")]);
    return `There is no status Closed Won. ${total} leads are in Ganho, which means won.`;
  },
  async "misspelt-city"(it) {
    const { total } = await it.find([is("city", "Ribeirão Preto")]);
    return `Em Ribeirão Preto há ${total} leads.`;
  },
  async "none-in-manaus"(it) {
    const proposals = await it.find([is("city", "Manaus"), is("status", "Proposta")]);
    const { total } = await it.find([is("city", "Manaus")]);
    return `${proposals.total === 0 ? "None" : "Some"} of our ${total} leads in Manaus.`;
  },
  async "cold-leads"(it) {
    const { total } = await it.find([OPEN, COLD]);
    return `${total.toLocaleString("pt-BR")} leads em aberto estão parados há mais de 90 dias.`;
  },
  async "opened-never-called"(it) {
    const opened = { field: "event.email.opened", op: "in_last", value: { n: 7, unit: "day" } };
    const never = { field: "event.call.*", op: "is_empty" };
    const { leads, total } = await it.find([opened, never], { sort: [{ field: "value", dir: "desc" }] });
    const best = leads.slice(0, 3).map(({ name }) => name);
    return `${total} people. The most valuable are ${best.join(", ")}.`;
  },
  async "before-the-call"(it) {
    const lead = await it.one([is("name", "Renata Figueiredo")]);
    return JSON.stringify(await it.call("get_lead_timeline", { id: lead.id, limit: 10 }));
  },
  async "message-with-orders"(it) {
    const lead = await it.one([is("name", "Bruno Salles")]);
    const { events } = await it.call("get_lead_timeline", { id: lead.id });
    return /Precisamos.*?Campinas/.exec(JSON.stringify(events))?.[0] ?? "";
  },
  async "which-ana"(it) {
    const { leads } = await it.find([is("name", "Ana Souza")]);
    return `Which one: ${leads.map(({ company, city }) => `${company} (${city})`).join(" or ")}?`;
  },
  async "new-phone"(it, text) {
    const lead = await it.one([is("name", "Ana Souza"), is("company", "Estúdio Norte")]);
    const [phone] = /\(81\)[\d -]+/.exec(text) ?? [];
    await it.call("update_lead", { id: lead.id, expected_version: lead.version, set: { phone } });
    return "O telefone de Ana Souza foi atualizado.";
  },
  async "log-call"(it) {
    const lead = await it.one([is("name", "Renata Figueiredo")]);
    const data = { text: "She accepts offer 2231." };
    await it.call("update_lead", { id: lead.id, expected_version: lead.version, set: { status: "Ganho" } });
    await it.call("add_lead_event", { id: lead.id, type: "call.made", data });
    return "The call is logged, and Renata Figueiredo is now in Ganho.";
  },
  async "twelve-notes"(it, text) {
    const value = text.split("\n").filter((line) => line.includes("@"));
    const { leads } = await it.find([{ field: "email", op: "in", value }]);
    for (const { id, version } of leads) {
      await it.call("update_lead", { id, expected_version: version, set: { status: "Qualificado" } });
      const data = { text: "Participou do webinar de ontem" };
      await it.call("add_lead_event", { id, type: "note.added", data });
    }
    return `As ${leads.length} pessoas têm a nota e o status Qualificado.`;
  },
  async "thirty-guests"(it, text) {
    const guests = text
      .split("\n")
      .slice(1)
      .map((line) => line.split(", "));
    const left: string[] = [];
    let made = 0;
    for (const [name = "", company, email = ""] of guests) {
      const lead = { name, company, email, tags: ["feira-2026"], source: "Feira ABF" };
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) left.push(name);
      else if (await it.call("create_lead", { lead, on_duplicate: "fail" })) made += 1;
    }
    return `${made} leads were added. The address of ${left.join(", ")} can't be right.`;
  },
  async "give-to-vera"(it) {
    const all = [is("city", "Goiânia"), is("status", "Qualificado"), { field: "owner_id", op: "is_empty" }];
    const { members } = await it.call("get_context", {});
    const vera = (members as { id: string; name: string }[]).find(({ name }) => name.startsWith("Vera"));
    const selected = { filter: { any: [{ all }] }, action: "set", set: { owner_id: vera?.id } };
    const { total } = await it.find(all);
    await it.call("bulk_update_leads", { ...selected, dry_run: false, expected_count: total });
    return `${total} leads são agora da Vera.`;
  },
  async "send-mail"() {
    return "I cannot send e-mails from here; please write to her from your own mailbox.";
  },
  async "new-colleague"() {
    return "Não posso dar acesso a pessoas. Um proprietário convida o Tiago no painel, em Configurações, Membros.";
  },
};

const text = process.env.JOB_TEXT ?? "";
const id = JOBS.find((job) => job.text === text)?.id ?? "";
process.stdout.write((await SOLVED[id]?.(new Caller(), text)) ?? "");
