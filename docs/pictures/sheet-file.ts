/** Returns a typical import file with a few rows that need correction. */
export function sheetFile(): { name: string; mimeType: string; buffer: Buffer } {
  const lines = [
    "Name;E-mail;Phone;Company;Value;Source",
    "Paula Teles;paula.teles@norte.example;+55 11 96123-4567;Oficina Norte;1.234,50;Trade fair",
    "Rui Sampaio;rui@norte.example;+55 11 96123-4570;Oficina Norte;980,00;Trade fair",
    "Vera Lins;vera.lins;+55 21 98888-1010;Casa Verde;2.100,00;Referral",
    "Tom Reis;tom@verde.example;5.5E+12;Casa Verde;310,25;Referral",
    "Lia Prado;lia@mare.example;+55 21 97777-2020;Maré Alta;a lot;Website",
    "Nuno Paz;nuno@mare.example;+55 21 97777-3030;Maré Alta;4.800,00;Website",
  ];
  return { name: "trade fair.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n")) };
}
