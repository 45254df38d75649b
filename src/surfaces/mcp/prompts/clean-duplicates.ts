import { LIKENESSES } from "../../../contract/lists/duplicates.ts";
import { findDuplicateGroups } from "../../../domain/leads/merge/find-duplicate-groups.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { completeFrom, prompt, wordIn } from "./prompt.ts";
import { someLeads } from "./read.ts";

export const cleanDuplicates = prompt({
  name: "clean_duplicates",
  title: "Clean up duplicates",
  description: "The largest groups of leads that may be one person, and which lead of each to keep.",
  arguments: [
    {
      name: "by",
      title: "Match by",
      description: "email, phone, name_and_company or conflict; default email.",
      required: false,
      complete: completeFrom(LIKENESSES),
    },
  ],
  task: {
    en: [
      "Review these groups of similar leads. For each, say whether it is one person, how certain that is and why, which lead to keep (the most complete and active one), and what the others would add to it.",
      "Where fields contradict each other, show both values. List groups that may be different people, such as a shared office number, separately.",
      "Nothing has been changed. The user decides on merging and deleting, group by group.",
    ].join(" "),
    "pt-BR": [
      "Analise estes grupos de leads parecidos. Para cada um, diga se é a mesma pessoa, com que certeza e por quê, qual lead manter (o mais completo e ativo) e o que os outros acrescentariam a ele.",
      "Onde campos se contradizem, mostre os dois. Separe os grupos que podem ser pessoas diferentes, como um telefone de escritório compartilhado.",
      "Nada foi alterado. Quem decide mesclar ou excluir é o usuário, grupo a grupo.",
    ].join(" "),
  },
  async data(asked) {
    const by = wordIn(asked, "by", LIKENESSES) ?? "email";
    const { service, caller } = asked.call;
    const { items: groups } = await perform(service, findDuplicateGroups, caller, { by, limit: 10 });
    const ids = groups.flatMap((group) => group.ids);
    const known = { filter: { field: "id", op: "in", value: ids }, limit: 50 };
    return {
      alike_by: by,
      groups: groups.map(({ count, ids }) => ({ leads_in_group: count, ids })),
      ...(ids.length === 0
        ? { note: "No leads match in this way." }
        : { leads: await someLeads(asked.call, known) }),
    };
  },
});
