/** A condition on a field; without a value for is_empty. */
export const leaf = (field: string, op: string, value?: unknown) =>
  value === undefined ? { field, op } : { field, op, value };
const event = (asked: object) => ({ event: { type: "email.opened", ...asked } });
const days = (n: number) => ({ n, unit: "day" });

/** Every operator of every type, and its sentence. */
export const SAID: [object, string, string][] = [
  [leaf("company", "eq", "acme"), "company is acme", "empresa é acme"],
  [leaf("company", "neq", "Acme & Co"), "company is not “Acme & Co”", "empresa não é “Acme & Co”"],
  [leaf("source", "in", ["a", "b", "c"]), "source is one of a, b or c", "origem é um destes: a, b ou c"],
  [leaf("source", "not_in", ["a"]), "source is not one of a", "origem não é nenhum destes: a"],
  [leaf("name", "contains", "x"), "name contains “x”", "nome contém “x”"],
  [leaf("name", "not_contains", "x"), "name does not contain “x”", "nome não contém “x”"],
  [leaf("name", "starts_with", "x"), "name starts with “x”", "nome começa com “x”"],
  [leaf("name", "ends_with", "x"), "name ends with “x”", "nome termina com “x”"],
  [
    leaf("email", "domain_in", ["a.org", "b.org"]),
    "e-mail is in the domain a.org or b.org",
    "e-mail é do domínio a.org ou b.org",
  ],
  [leaf("utm_source", "is_empty"), "UTM source is empty", "UTM source está vazio"],
  [leaf("first_name", "is_not_empty"), "first name is not empty", "primeiro nome não está vazio"],
  [leaf("score", "gt", 1234.5), "score is more than 1,234.5", "pontuação é maior que 1.234,5"],
  [leaf("score", "gte", 1), "score is at least 1", "pontuação é no mínimo 1"],
  [leaf("score", "lt", 1), "score is less than 1", "pontuação é menor que 1"],
  [leaf("score", "lte", 1), "score is at most 1", "pontuação é no máximo 1"],
  [leaf("score", "between", [1, 2]), "score is between 1 and 2", "pontuação está entre 1 e 2"],
  [leaf("do_not_contact", "eq", true), "do not contact is yes", "não contatar é sim"],
  [leaf("tags", "has_any", ["a", "b"]), "tags include any of a or b", "tags incluem algum destes: a ou b"],
  [leaf("tags", "has_all", ["a"]), "tags include all of a", "tags incluem todos estes: a"],
  [leaf("tags", "has_none", ["a"]), "tags include none of a", "tags não incluem nenhum destes: a"],
  [leaf("tags", "is_empty"), "tags are empty", "tags estão vazios"],
  [leaf("created_at", "eq", "2026-03-31"), "created on 2026-03-31", "criação em 2026-03-31"],
  [leaf("created_at", "before", "2026-03-31"), "created before 2026-03-31", "criação antes de 2026-03-31"],
  [leaf("created_at", "after", "2026-03-31"), "created after 2026-03-31", "criação depois de 2026-03-31"],
  [
    leaf("created_at", "on_or_before", "2026-03-31"),
    "created on or before 2026-03-31",
    "criação até 2026-03-31",
  ],
  [
    leaf("created_at", "on_or_after", "2026-03-31"),
    "created on or after 2026-03-31",
    "criação a partir de 2026-03-31",
  ],
  [
    leaf("created_at", "between", ["2026-01-01", "2026-01-31"]),
    "created between 2026-01-01 and 2026-01-31",
    "criação entre 2026-01-01 e 2026-01-31",
  ],
  [
    leaf("created_at", "in_last", days(1)),
    "created in the last 1 day",
    "criação no período dos últimos 1 dia",
  ],
  [
    leaf("created_at", "not_in_last", days(30)),
    "created not in the last 30 days",
    "criação fora do período dos últimos 30 dias",
  ],
  [
    leaf("created_at", "in_next", days(2)),
    "created in the next 2 days",
    "criação no período dos próximos 2 dias",
  ],
  [leaf("created_at", "older_than", days(2)), "created more than 2 days ago", "criação há mais de 2 dias"],
  [leaf("created_at", "in_period", "last_month"), "created last month", "criação no mês passado"],
  [leaf("created_at", "in_period", "today"), "created today", "criação hoje"],
  [leaf("first_touch", "is_empty"), "first touch is empty", "primeiro contato está vazio"],
  [{ and: [] }, "everybody", "todos"],
  [{ or: [] }, "nobody", "ninguém"],
  [{ not: leaf("name", "is_empty") }, "not (name is empty)", "não (nome está vazio)"],
  [event({}), "had at least 1 “email opened” event", "teve pelo menos 1 evento “email opened”"],
  [
    event({ count: { op: "eq", value: 0 } }),
    "had no “email opened” event",
    "não teve nenhum evento “email opened”",
  ],
  [{ event: { count: { op: "gte", value: 3 } } }, "had at least 3 events", "teve pelo menos 3 eventos"],
  [{ event: { pick: "first" } }, "whose first event exists", "cujo primeiro evento existe"],
  [
    event({ type: "email.*", count: { op: "neq", value: 2 } }),
    "did not have exactly 2 “email …” events",
    "não teve exatamente 2 eventos “email …”",
  ],
  [
    event({ count: { op: "between", value: [2, 3] } }),
    "had between 2 and 3 “email opened” events",
    "teve entre 2 e 3 eventos “email opened”",
  ],
  [
    event({ where: leaf("data.link", "contains", "x") }),
    "had at least 1 “email opened” event where (link contains “x”)",
    "teve pelo menos 1 evento “email opened” em que (link contém “x”)",
  ],
  [
    event({ occurred: { op: "not_in_last", value: days(180) } }),
    "had no “email opened” event in the last 180 days",
    "não teve nenhum evento “email opened” no período dos últimos 180 dias",
  ],
  [
    event({ pick: "last", occurred: { op: "not_in_last", value: days(180) } }),
    "not (whose last “email opened” event was in the last 180 days)",
    "não (cujo último evento “email opened” foi no período dos últimos 180 dias)",
  ],
  [
    event({ pick: "last", occurred: { op: "older_than", value: days(180) } }),
    "whose last “email opened” event was more than 180 days ago",
    "cujo último evento “email opened” foi há mais de 180 dias",
  ],
  [
    {
      and: [
        leaf("status", "eq", "won"),
        { or: [leaf("source", "eq", "google"), leaf("company", "contains", "acme")] },
        event({ count: { op: "gte", value: 3 }, occurred: { op: "in_last", value: days(30) } }),
      ],
    },
    "status is won and (source is google or company contains “acme”) and had at least 3 “email opened” events in the last 30 days",
    "status é won e (origem é google ou empresa contém “acme”) e teve pelo menos 3 eventos “email opened” no período dos últimos 30 dias",
  ],
];
