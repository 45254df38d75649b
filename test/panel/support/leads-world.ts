import type { PanelWorld } from "./panel.ts";

const FIRST = ["Ana", "Bruno", "Clara", "Davi", "Elisa", "Fábio", "Gabriela", "Heitor", "Inês", "João"];
const LAST = ["Almeida", "Barros", "Castro", "Duarte", "Esteves", "Ferraz", "Gomes", "Holanda"];
const COMPANY = [
  "Porto Seguro Têxtil",
  "Maré Alta",
  "Oficina Norte",
  "Casa Verde",
  "Ponte Logística",
  "Lumen",
];

/** Seeds the world's project with so many leads, newest first; lead 7 is called "Gabriela Gomes 7". */
export async function seedLeads(the: PanelWorld, count: number): Promise<void> {
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, email, phone, phone_e164, company, status, value, currency, source, tags, created_at)
     SELECT $1, 'lead_' || lpad(to_hex(n), 26, '0'), ($2::text[])[1 + (n - 1) % 10] || ' ' || ($3::text[])[1 + (n - 1) % 8] || ' ' || n,
       'lead' || n || '@example.org', '+55 11 9' || lpad(n::text, 8, '0'), '+55119' || lpad(n::text, 8, '0'),
       ($4::text[])[1 + n % 6], (ARRAY['new','contacted','qualified','won','lost'])[1 + n % 5], n * 10.5, 'BRL',
       (ARRAY['website','fair','referral'])[1 + n % 3], CASE WHEN n % 4 = 0 THEN ARRAY['vip','south'] ELSE '{}' END,
       now() - make_interval(mins => n)
     FROM generate_series(1, $5::int) AS n`,
    [the.project.id, FIRST, LAST, COMPANY, count],
  );
  await the.sql("ANALYZE store.lead");
}
